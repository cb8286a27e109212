/** Our own file store in this process, without door and protocol: the same tools, a hundred times as many rounds. */
import { Fault } from '../src/contract/fault';
import { createFileLocks } from '../src/services/files/file-lock';
import { createJail } from '../src/services/files/jail';
import { createMemory } from '../src/services/files/memory';
import { createFileStore } from '../src/services/files/store';
import type { Answer, ToolCall } from './server';

export interface OurStore {
  call(call: ToolCall): Promise<Answer>;
}

const MAX_BYTES = 1_048_576;

export function openOurStore(root: string): OurStore {
  const jail = createJail([root], { pinned: true });
  const locks = createFileLocks();
  const files = createFileStore({ jail, locks });
  const paths = jail.paths('relative');
  const admit = (path: unknown) => paths.admit(String(path));
  const memory = createMemory({ jail, locks, admit: (file) => admit(`.claude/memory/${file}`) });

  function perform({ tool, args }: ToolCall): Promise<unknown> {
    switch (tool) {
      case 'read_file':
        return files.readText(admit(args.file), { maxBytes: MAX_BYTES });
      case 'write_file':
        return files.writeText(admit(args.file), String(args.content), { createParents: true });
      case 'edit_file':
        return files.editText(admit(args.file), async (given) => {
          const text = await given.whole();
          return { text: text.replace(String(args.find), () => String(args.replace)), tell: () => text };
        });
      case 'delete_file':
        return files.remove(admit(args.path), { recursive: args.recursive === true });
      case 'move_file':
        return files.move(admit(args.from), admit(args.to), { overwrite: false });
      case 'mkdir':
        return files.makeDirectory(admit(args.dir), { recursive: true });
      case 'list_dir':
        return files.list(admit(args.dir), { recursive: true, maxEntries: 500 });
      case 'write_memory_entry':
        return memory.append(String(args.file), String(args.entry));
      default:
        throw new Error(`the store has no ${tool}`);
    }
  }

  return {
    async call(call) {
      try {
        return { ok: true, text: JSON.stringify(await perform(call), withoutBigInts) };
      } catch (error) {
        if (error instanceof Fault) return { ok: false, text: `${error.kind} ${JSON.stringify(error.facts)}` };
        throw error;
      }
    },
  };
}

function withoutBigInts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
