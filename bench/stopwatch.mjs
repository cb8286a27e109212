// Starts a program over and over from a small process, and prints how long each run took from spawn to close, in ms.
// A process of its own: the larger the parent, the slower the fork, and the bench itself grows large.
// node bench/stopwatch.mjs COUNT PAUSE_MS COMMAND [ARGUMENT ...]
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const [count, pauseMs, command, ...args] = process.argv.slice(2);
// To start is work too: what follows at once would meet a machine that is wide awake.
if (Number(pauseMs) > 0) await sleep(Number(pauseMs));
const times = [];
for (let run = 0; run < Number(count); run++) times.push(await time());
process.stdout.write(JSON.stringify(times));

function time() {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', () => resolve(performance.now() - started));
  });
}
