// Loaded into a server with `node --require`: watches its event loop from inside. At SIGUSR2 it writes the longest
// delay since the last time, in ms, to the file named by LOOP_PROBE_FILE.
const { renameSync, writeFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const RESOLUTION_MS = 1;
const file = process.env.LOOP_PROBE_FILE;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
process.on('SIGUSR2', () => {
  writeFileSync(`${file}~`, String(Math.max(0, delays.max / 1e6 - RESOLUTION_MS)));
  renameSync(`${file}~`, file);
  delays.reset();
});
