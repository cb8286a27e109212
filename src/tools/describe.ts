/** A contract as Markdown: for `tenon tools NAME` and for docs/tools.md. */
import { annotations, type Tool } from '../contract/contract';
import { inputSchema, type JsonSchema, outputSchema } from '../contract/json-schema';
import type { Toolset } from '../contract/toolset';

export function describeTool(tool: Tool, set: Toolset): string {
  const { contract } = tool;
  return [
    `## ${contract.name}`,
    contract.description,
    `Toolset \`${set.name}\`. ${hintsOf(tool)}`,
    '### Input',
    parameterTable(inputSchema(contract.input())),
    '### Output',
    code(outputSchema(contract.output())),
    '### Constraints',
    contract.constraints.map((line) => `- ${line}`).join('\n'),
    '### Errors',
    errorTable(tool, set),
    '### Examples',
    ...contract.examples.map(
      ({ title, input, output }) => `${title}:\n\n${code(input)}\n\n${code(set.dialect.success(output))}`,
    ),
  ].join('\n\n');
}

function hintsOf({ contract }: Tool): string {
  const hints = annotations(contract.effect);
  const said = Object.entries(hints).map(([name, value]) => `${name} ${value}`);
  return `Annotations: ${said.join(', ')}.`;
}

function parameterTable(schema: JsonSchema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema.required ?? []) as string[]);
  const rows = properties.map(([name, property]) => {
    const { type, description, default: fallback, items, ...rest } = property;
    const limits = Object.entries(rest).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
    const need = required.has(name)
      ? 'required'
      : fallback === undefined
        ? 'optional'
        : `default ${JSON.stringify(fallback)}`;
    return `| \`${name}\` | ${type ?? 'enum'} | ${need} | ${[description, ...limits].filter(Boolean).join('; ')} |`;
  });
  return ['| parameter | type | | meaning and limits |', '|---|---|---|---|', ...rows.map(escapePipes)].join('\n');
}

function errorTable({ contract }: Tool, set: Toolset): string {
  const rows = Object.values({ ...set.errors, ...contract.errors }).map(
    (row) => `| ${row.when} | \`${row.code}\` | ${row.message} |`,
  );
  return ['| when | code | message |', '|---|---|---|', ...rows].join('\n');
}

function escapePipes(row: string): string {
  return row.replaceAll(/"[^"]*\|[^"]*"/g, (text) => text.replaceAll('|', '\\|'));
}

function code(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
