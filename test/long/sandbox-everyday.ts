/** Everyday work that has to succeed inside, in this order, in one workspace. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Work {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly prints: RegExp;
  readonly needs?: 'network' | 'pytest';
}

const NODE_CHILDREN = `const { fork, spawnSync } = require('child_process');
if (process.argv[2] === 'child') { process.send('hello'); process.disconnect(); }
else { console.log(spawnSync('echo', ['spawned']).stdout.toString().trim());
  fork(__filename, ['child']).on('message', (said) => console.log('forked', said)); }`;
const NODE_WORKER =
  "new (require('worker_threads').Worker)('require(\"worker_threads\").parentPort.postMessage(6 * 7)', { eval: true }).on('message', console.log)";
const POOL = `import multiprocessing
def square(x): return x * x
if __name__ == '__main__':
  with multiprocessing.Pool(2) as pool: print(pool.map(square, [1, 2, 3]))`;

export const EVERYDAY: readonly Work[] = [
  sh('git status', 'git status --short --branch', /## /),
  sh('git add and commit', 'git add package.json && git commit -m work && git log -1 --format=%an', /Person/),
  sh('git checkout -b', 'git checkout -b topic 2>&1', /topic/),
  sh('git stash', 'echo >> package.json && git stash && git stash pop && git checkout -- package.json', /Dropped/),
  { ...sh('npm install', 'npm install --no-progress 2>&1', /added \d+ packages/), needs: 'network' },
  sh('npm test', 'npm test 2>&1', /tested/),
  { ...sh('npx tsc', 'npx tsc --version', /Version/), needs: 'network' },
  { name: 'node with children', command: 'node', args: ['children.js'], prints: /spawned\nforked hello/ },
  { name: 'node with a worker thread', command: 'node', args: ['-e', NODE_WORKER], prints: /42/ },
  { name: 'node serves itself', command: 'node', args: ['serve.js'], prints: /served 200/ },
  {
    name: 'python',
    command: 'python3',
    args: ['-c', 'import ssl, sqlite3, tempfile; print(tempfile.mkdtemp())'],
    prints: /^\/tmp\//,
  },
  { name: 'python with a pool', command: 'python3', args: ['pool.py'], prints: /\[1, 4, 9\]/ },
  sh(
    'a virtual environment',
    'python3 -m venv --without-pip env && env/bin/python -c "import sys; print(sys.prefix)"',
    /\/env$/m,
  ),
  {
    name: 'pytest',
    command: 'pytest',
    args: ['-q', '-p', 'no:cacheprovider', '-p', 'no:benchmark'],
    prints: /1 passed/,
    needs: 'pytest',
  },
  sh(
    'a shell with pipes and temporary files',
    'mktemp >/dev/null && seq 3 | sort -r | tr "\\n" " " && date +%Y',
    /3 2 1 20/,
  ),
];

/** All that the workspace holds at the end. */
export const EXPECTED = [
  '.git',
  '__pycache__',
  'children.js',
  'env',
  'node_modules',
  'package-lock.json',
  'package.json',
  'pool.py',
  'serve.js',
  'test_one.py',
];

export function prepareEveryday(root: string): void {
  const files = {
    'package.json': JSON.stringify({
      name: 'everyday',
      version: '1.0.0',
      scripts: { test: 'node -e "console.log(\'tested\')"' },
      dependencies: { 'is-odd': '3.0.1', typescript: '5.9.3' },
    }),
    'children.js': NODE_CHILDREN,
    'serve.js':
      "require('http').createServer((_, r) => r.end()).listen(0, '127.0.0.1', function () { require('http').get({ port: this.address().port, host: '127.0.0.1' }, (r) => { console.log('served', r.statusCode); process.exit(); }); });",
    'pool.py': POOL,
    'test_one.py': 'def test_one(): assert True\n',
  };
  mkdirSync(root, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
}

function sh(name: string, script: string, prints: RegExp): Work {
  return { name, command: 'sh', args: ['-c', script], prints };
}
