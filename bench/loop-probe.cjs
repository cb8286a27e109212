// Loaded into a process with `node --require`: watches its event loop from inside. At SIGUSR2 it writes the times that
// the loop stood still since it was last asked to the file named by LOOP_PROBE_FILE. `from` and `to` are in ms, by the
// clock that all processes share. As far as the system tells: `computedMs`, for which the thread was on a processor, and
// `queuedMs`, for which it was ready and others were.
const { openSync, readSync, renameSync, writeFileSync } = require('node:fs');

const EACH_MS = 1;
/** Shorter ones are of no account. */
const SHORTEST_MS = 1;
const NS_PER_MS = 1e6;
const file = process.env.LOOP_PROBE_FILE;
const figures = Buffer.alloc(128);
const schedule = openSchedule();
let last = look();
let blocks = [];

setInterval(() => {
  const now = look();
  if (now.at - last.at - EACH_MS > SHORTEST_MS) {
    blocks.push({ from: last.at + EACH_MS, to: now.at, ...(schedule && partsOf(last, now)) });
    last = look();
  } else last = now;
}, EACH_MS).unref();

process.on('SIGUSR2', () => {
  writeFileSync(`${file}~`, JSON.stringify(blocks));
  renameSync(`${file}~`, file);
  blocks = [];
  last = look();
});

function look() {
  const at = Number(process.hrtime.bigint()) / NS_PER_MS;
  if (!schedule) return { at };
  const [computed, queued] = figures.latin1Slice(0, readSync(schedule, figures, 0, figures.length, 0)).split(' ');
  return { at, computed: computed / NS_PER_MS, queued: queued / NS_PER_MS };
}

function partsOf(before, after) {
  return { computedMs: after.computed - before.computed, queuedMs: after.queued - before.queued };
}

/** What Linux tells of the first thread, by which the loop runs. */
function openSchedule() {
  try {
    return openSync('/proc/self/schedstat', 'r');
  } catch {
    return undefined;
  }
}
