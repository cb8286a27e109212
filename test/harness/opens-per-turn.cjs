// Loaded into a server with `node --require`: how many files it opens, at the most, in one turn of its loop. Written to
// MOST_OPENS_FILE when it ends.
const fs = require('node:fs');

const { openSync, writeFileSync } = fs;
const file = process.env.MOST_OPENS_FILE;
let opens = 0;
let most = 0;
fs.openSync = (...args) => {
  most = Math.max(most, ++opens);
  return openSync(...args);
};
setInterval(() => {
  opens = 0;
}, 1).unref();
process.on('exit', () => writeFileSync(file, String(most)));
