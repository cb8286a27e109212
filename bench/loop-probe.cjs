// Loaded into a server with `node --require`: watches its event loop from inside. At SIGUSR2 it writes the longest time
// that the loop stood still since it was last asked to the file named by LOOP_PROBE_FILE: in ms, and, as far as the
// system tells, how long of that the thread computed, and how long it was ready and waited for a processor.
const { openSync, readSync, renameSync, writeFileSync } = require('node:fs');

const EACH_MS = 1;
const NS_PER_MS = 1e6;
const file = process.env.LOOP_PROBE_FILE;
const figures = Buffer.alloc(128);
const schedule = openSchedule();
let last = look();
let longest = { ms: 0 };

setInterval(() => {
  const now = look();
  const ms = now.at - last.at - EACH_MS;
  if (ms > longest.ms)
    longest = schedule ? { ms, computedMs: now.computed - last.computed, queuedMs: now.queued - last.queued } : { ms };
  last = now;
}, EACH_MS).unref();

process.on('SIGUSR2', () => {
  writeFileSync(`${file}~`, JSON.stringify(longest));
  renameSync(`${file}~`, file);
  longest = { ms: 0 };
  last = look();
});

function look() {
  const at = performance.now();
  if (!schedule) return { at };
  const [computed, queued] = figures.latin1Slice(0, readSync(schedule, figures, 0, figures.length, 0)).split(' ');
  return { at, computed: computed / NS_PER_MS, queued: queued / NS_PER_MS };
}

/** What Linux tells of the first thread, by which the loop runs. */
function openSchedule() {
  try {
    return openSync('/proc/self/schedstat', 'r');
  } catch {
    return undefined;
  }
}
