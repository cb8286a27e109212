/** The listing that the server answers with, and the documents, from the contracts. */
import { entryOf } from '../src/tools/listing';
import { toolsets } from '../src/tools/toolsets';
import { settle } from './generated-file';

const entries = toolsets.flatMap((set) => set.tools.map((tool) => entryOf(tool, set.dialect)));
settle('src/tools/listing.generated.json', `${JSON.stringify(entries, null, 1)}\n`);
