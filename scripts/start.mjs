// `npm start`: install and build if needed, then serve the directory from which npm was called, over HTTP.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { home, prepare } from './prepare.mjs';

prepare();
const root = process.env.INIT_CWD ?? process.cwd();
const given = process.argv.slice(2);
// `--root` may be repeated: a directory that the person names stands instead of this one, not beside it.
const roots = given.some((word) => /^--root(?:=|$)/.test(word)) ? [] : ['--root', root];
const args = [join(home, 'dist', 'tenon.cjs'), 'serve', '--http', ...roots, ...given];
const server = spawn(process.execPath, args, { stdio: 'inherit', cwd: root });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(signal ? 0 : (code ?? 1)));
