import { annotations } from '../../src/contract/contract';
import type { Toolset } from '../../src/contract/toolset';
import { describeTool } from '../../src/tools/describe';
import type { ToolEntry } from '../../src/tools/listing';

const FORMS: Record<string, string> = {
  editor:
    'Absolute paths inside the roots. Success is the result object; a failure is `{"error": {"code": -32001, "message": "…", "data": {…}}}` in a result with `isError` (with `--tool-errors rpc`: a JSON-RPC error with the same number and words).',
  workspace:
    'Paths relative to the workspace, the first root. Every answer is an envelope: `{"ok": true, "data": {…}}` or `{"ok": false, "error": {"code": "STRING_CODE", "message": "…", "details": {…}}}`.',
  repo: 'Paths relative to the repository, the first root. Success is the result object; a failure is `{"error": {"code": "STRING_CODE", "message": "…", "details": {…}}}` in a result with `isError`.',
};

/** docs/tools.md */
export function toolsPage(toolsets: readonly Toolset[], entries: readonly ToolEntry[]): string {
  const bytes = Buffer.byteLength(JSON.stringify({ tools: entries }));
  const intro = [
    '# Tools',
    'Written by `npm run gen` from the contracts in `src/tools`; do not edit.',
    `Every tool answers with JSON in \`content[0].text\`; all but the three bulk readers (\`read_text_file\`, \`read_file\`, \`read_repo_file\`) send the same JSON as \`structuredContent\`. \`tools/list\` of all ${entries.length} tools is ${bytes.toLocaleString('en-US')} bytes.`,
  ];
  const sets = toolsets.map((set) =>
    [`# Toolset: ${set.name}`, FORMS[set.name] ?? '', ...set.tools.map((tool) => describeTool(tool, set))].join('\n\n'),
  );
  return `${[...intro, ...sets].join('\n\n')}\n`;
}

/** The table in the README. */
export function toolTable(toolsets: readonly Toolset[]): string {
  const rows = toolsets.flatMap((set) =>
    set.tools.map(({ contract }) => {
      const hints = annotations(contract.effect);
      const kind = hints.readOnlyHint ? 'reads' : hints.destructiveHint ? 'changes' : 'adds';
      return `| \`${contract.name}\` | ${set.name} | ${kind} | ${contract.description} |`;
    }),
  );
  return ['| tool | toolset | | what it does |', '|---|---|---|---|', ...rows].join('\n');
}
