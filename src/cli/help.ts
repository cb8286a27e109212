import { definitionOf, environmentName, OPTION_NAMES } from './options';

export function helpText(version: string): string {
  return `Tenon ${version}: file, command and memory tools for coding agents, over MCP.

Usage
  tenon serve [options]        serve the tools: on stdio, or with --http over HTTP
  tenon acp [options]          be the agent of an editor (ACP): the Codex CLI with these tools
  tenon call TOOL JSON         make one call and print the answer (- reads the JSON from stdin)
  tenon tools [NAME] [--json]  show the tools, or the contract of one
  tenon help                   show this text

Options (each also as an environment variable, and as a key in a config file)
${OPTION_NAMES.map(optionHelp).join('\n')}

Examples
  tenon serve --root ~/project --toolsets workspace
  tenon serve --http 127.0.0.1:7437 --read-only
  tenon call list_dir '{"dir": "src"}'

Started by a client, without a terminal, tenon alone serves the current directory on stdio.`;
}

function optionHelp(name: (typeof OPTION_NAMES)[number]): string {
  const { type, value, choices, fallback, help } = definitionOf(name);
  const placeholder = choices ? choices.join('|') : value;
  const argument = type === 'switch' ? '' : type === 'optional' ? ` [${placeholder}]` : ` ${placeholder}`;
  return `  --${name}${argument}\n      ${help}\n      Default: ${fallback}. ${environmentName(name)}`;
}
