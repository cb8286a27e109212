/** The listing that the server answers with, what it needs assembled, and the documents. */
import { entryOf } from '../src/tools/listing';
import { toolsets } from '../src/tools/toolsets';
import { assemble } from './assemble';
import { examplesPage } from './documents/examples';
import { optionTable } from './documents/options';
import { safetyTable } from './documents/safety';
import { toolsPage, toolTable } from './documents/tools';
import { settle, settleBlocks } from './generated-file';
import { recordAnswers } from './record-answers';
import { shapeOf } from './shape-of';

const entries = toolsets.flatMap((set) => set.tools.map((tool) => entryOf(tool, set.dialect)));
settle('src/tools/listing.generated.json', `${JSON.stringify(entries, null, 1)}\n`);
const names = toolsets.map((set) => [set.name, set.tools.map(({ contract }) => contract.name)]);
settle('src/tools/sets.generated.json', `${JSON.stringify(Object.fromEntries(names), null, 1)}\n`);
const shapes = toolsets.flatMap((set) => set.tools.map(({ contract }) => [contract.name, shapeOf(contract.input())]));
settle('src/tools/shapes.generated.json', `${JSON.stringify(Object.fromEntries(shapes), null, 1)}\n`);
settle('src/mcp/lane/recorded.generated.json', `${JSON.stringify(await recordAnswers(), null, 1)}\n`);
settle('src/text/assembly/modules.generated.json', await assemble('src/text/assembly'));
settle('docs/tools.md', toolsPage(toolsets, entries));
settle('docs/examples.md', examplesPage(toolsets));
settleBlocks('docs/safety.md', { tools: safetyTable(toolsets) });
settleBlocks('docs/configuration.md', { options: optionTable() });
settleBlocks('README.md', { tools: toolTable(toolsets) });
