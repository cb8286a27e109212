import { main } from './cli/main';
import { doors } from './compose';

main(process.argv.slice(2), doors).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    // Nothing should come here; if it does, a person gets a line, not a stack.
    process.stderr.write(`tenon: internal error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 70;
  },
);
