import type { Example } from '../../src/contract/contract';
import type { Toolset } from '../../src/contract/toolset';

/** docs/examples.md */
export function examplesPage(toolsets: readonly Toolset[]): string {
  const intro = [
    '# Examples',
    'Written by `npm run gen` from the contracts in `src/tools`; do not edit. Each can be tried from a shell with `tenon call`, and each answer is what stands in `content[0].text`.',
  ];
  const sections = toolsets.flatMap((set) =>
    set.tools.map(({ contract }) =>
      [`## ${contract.name}`, ...contract.examples.map((example) => show(contract.name, example, set))].join('\n\n'),
    ),
  );
  return `${[...intro, ...sections].join('\n\n')}\n`;
}

function show(tool: string, { title, input, output }: Example, set: Toolset): string {
  const call = `tenon call ${tool} '${JSON.stringify(input).replaceAll("'", String.raw`'\''`)}'`;
  return `${title}:\n\n\`\`\`sh\n${call}\n\`\`\`\n\n\`\`\`json\n${JSON.stringify(set.dialect.success(output), null, 2)}\n\`\`\``;
}
