/**
 * Scripts that try to leave the sandbox, each with a way to tell whether it did. A script finds in its arguments:
 * 1 the folder outside, 2 the person's home, 3 the server's process, 4 a process to harm, 5 a TCP port, 6 an address of
 * this machine, 7 a UDP port, 8 a socket's path, 9 an abstract name, 10 another for datagrams.
 * What prints ESCAPED or the secret has left; so has what `reached` says.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROTECTED_NAMES } from '../../src/services/processes/sandbox/protected-names';
import { argumentsFor, type Listeners, type Place, SECRET } from './sandbox-place';

export interface Attack {
  readonly name: string;
  readonly script: string;
  readonly language: 'sh' | 'python3';
  /** What it did outside, beyond what it printed; `heard` are the listeners that were reached. */
  readonly reached: (place: Place, heard: readonly string[]) => boolean;
  /**
   * How it goes without a sandbox: `leaves` proves that the script bites; some leave only as root, or depend on the
   * system; `never`: too dangerous to try.
   */
  readonly naked: 'leaves' | 'root leaves' | 'depends' | 'never';
  /** With the network on it is meant to work. */
  readonly needsNetwork?: true;
  /** Looks at real things of this machine, not at decoys alone: only tried inside a sandbox. */
  readonly looksAround?: true;
}

const nothing = () => false;
const outside = (name: string) => (place: Place) => existsSync(join(place.outside, name));
const changed =
  (path: string, usual = 'untouched') =>
  ({ home, outside: folder }: Place) =>
    [join(folder, path), join(home, path)].some((file) => existsSync(file) && read(file) !== usual);
const inRoot = (name: string) => (place: Place) => existsSync(join(place.root, name));

export const ATTACKS: readonly Attack[] = [
  sh('write by absolute path', 'echo x > "$1/made"', outside('made')),
  sh('write by ..', 'echo x > ../outside/made', outside('made')),
  sh('write through a symlink', 'ln -s "$1" link; echo x > link/made', outside('made')),
  sh('write through a hard link', 'ln "$1/victim" mine; echo x > mine', changed('victim')),
  sh('move a file out', 'echo x > a; mv a "$1/made"', outside('made')),
  sh('move the workspace away', 'mv "$PWD" "$1/made"', outside('made')),
  sh('read a private key', 'cat "$2/.ssh/id_rsa"'),
  sh('read a token of npm', 'cat "$2/.npmrc" ~/.npmrc'),
  sh('read credentials below ~', 'cat ~/.aws/credentials'),
  lookingAround(sh('read the password file', 'grep -q "^root:" /etc/shadow && echo ESCAPED', nothing, 'root leaves')),
  sh('read through /proc/*/root', 'cat /proc/*/root"$2/.ssh/id_rsa"'),
  sh('read through /proc/*/cwd', 'cat /proc/*/cwd"$2/.ssh/id_rsa" /proc/*/cwd/../home/.ssh/id_rsa'),
  lookingAround(sh('read the environment of the server', 'cat "/proc/$3/environ" /proc/*/environ | tr "\\0" "\\n"')),
  py('trace a process', 'ok(libc.ptrace(0x4206, int(arg[4]), None, None) == 0)', nothing, 'depends'),
  py('read the memory of a process', 'fd = os.open(f"/proc/{arg[4]}/mem", os.O_RDWR); ok(fd >= 0)', nothing, 'depends'),
  sh('kill a process', 'kill -9 "$4"', (place) => !place.isDecoyAlive()),
  sh('kill everybody', 'kill -9 -1', (place) => !place.isDecoyAlive(), 'never'),
  py('connect to a socket by its path', 's = socket.socket(socket.AF_UNIX); s.connect(arg[8])', heard('path')),
  py(
    'connect to an abstract socket',
    's = socket.socket(socket.AF_UNIX); s.connect(("\\0" + arg[9]).ljust(108, "\\0"))',
    heard('abstract'),
  ),
  py(
    'send from a datagram pair to an abstract socket',
    'a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b"x", "\\0" + arg[10])',
    heard('datagram'),
  ),
  lookingAround(py('open a machine socket', 'ok(socket.socket(40, socket.SOCK_STREAM))', nothing, 'depends')),
  lookingAround(
    py('open a raw socket', 'ok(socket.socket(socket.AF_PACKET, socket.SOCK_RAW))', nothing, 'root leaves'),
  ),
  py('set up io_uring', 'ok(libc.syscall(425, 8, ctypes.create_string_buffer(120)) >= 0)', nothing, 'depends'),
  py(
    'call through the 32-bit door',
    `import mmap
code = mmap.mmap(-1, 4096, prot=7); code.write(b"\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3")
ok(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))() > 0)`,
    nothing,
    'depends',
  ),
  py('call through the x32 door', 'ok(libc.syscall(0x40000000 + 39) > 0)', nothing, 'depends'),
  sh('keep a way to more rights', 'grep -q "^NoNewPrivs:.0" /proc/self/status && echo ESCAPED'),
  sh('have any capability', 'grep -q "^CapEff:.0*$" /proc/self/status || echo ESCAPED', nothing, 'root leaves'),
  sh('mount', 'mkdir m; mount -t tmpfs none m && echo ESCAPED; mount --bind / m && echo ESCAPED', nothing, 'never'),
  sh(
    'undo a protection',
    'for o in "-o remount,rw /usr" "-o remount,rw,bind .vscode"; do mount $o && echo ESCAPED; done; umount .vscode && echo ESCAPED; umount -l .git/hooks && echo ESCAPED',
    nothing,
    'never',
  ),
  sh('make a user namespace', 'unshare -Ur true && echo ESCAPED'),
  sh('run a sandbox of its own', 'bwrap --bind / / true && echo ESCAPED', nothing, 'depends'),
  py(
    'clone into a user namespace',
    `r = libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)
if r == 0: os._exit(0)
ok(r > 0)`,
    nothing,
    'depends',
  ),
  py('ask for keys', 'ok(libc.syscall(250, 0, -3, 1) >= 0)', nothing, 'depends'),
  py('use an inherited descriptor', 'os.write(20, b"x")', outside('leak-used')),
  py(
    'type into a terminal',
    `import pty, fcntl
pid, fd = pty.fork()
if pid == 0:
  try: fcntl.ioctl(0, 0x5412, b"x"); os._exit(0)
  except OSError: os._exit(1)
ok(os.waitpid(pid, 0)[1] == 0)`,
    nothing,
    'depends',
  ),
  sh(
    'write to terminals',
    'for t in /dev/pts/[0-9]* /dev/tty[0-9]* /dev/console; do (echo > $t) && echo ESCAPED; done',
    nothing,
    'never',
  ),
  lookingAround(
    sh(
      'read a disk',
      'for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/mem; do head -c1 $d && echo ESCAPED; done',
      nothing,
      'depends',
    ),
  ),
  lookingAround(
    py(
      'make a device',
      'import stat; os.mknod("device", stat.S_IFBLK | 0o600, os.makedev(254, 0)); ok(True)',
      nothing,
      'root leaves',
    ),
  ),
  sh('leave something in shared memory', 'echo x > "/dev/shm/tenon-$3"', ({ server }) =>
    existsSync(`/dev/shm/tenon-${server}`),
  ),
  sh(
    'fill the memory',
    'head -c 200000000 /dev/zero > /dev/shm/fill; [ $(stat -c %s /dev/shm/fill) -gt 70000000 ] && echo ESCAPED',
    nothing,
    'never',
  ),
  sh(
    'change the kernel',
    'for f in kernel/core_pattern kernel/hostname vm/drop_caches; do (cat /proc/sys/$f > v; cat v > /proc/sys/$f) && echo ESCAPED; done; (echo h > /proc/sysrq-trigger) && echo ESCAPED',
    nothing,
    'never',
  ),
  sh(
    'stay in the background',
    '(sleep 2; echo x > late) >/dev/null 2>&1 & setsid nohup sleep 7 >/dev/null 2>&1 & exit 0',
    inRoot('late'),
    'depends',
  ),
  py(
    'stay as a daemon without traces',
    `if os.fork() == 0:
  os.setsid(); os.chdir("/")
  if os.fork() == 0: os.execve("/bin/sh", ["sh", "-c", "exec >/dev/null 2>&1 </dev/null; sleep 1.5; echo x > " + root + "/late"], {})
  os._exit(0)`,
    inRoot('late'),
  ),
  sh(
    'plant a git hook',
    'echo evil > .git/hooks/post-checkout; mv .git/hooks h; mkdir -p .git/hooks; echo evil > .git/hooks/post-checkout',
    inRoot('.git/hooks/post-checkout'),
  ),
  sh(
    'configure git',
    'git config core.fsmonitor evil; echo "[core] fsmonitor = evil" >> .git/config; cp .git/config c; echo "[core] fsmonitor = evil" >> c; mv c .git/config',
    ({ root }) => read(join(root, '.git/config')).includes('evil'),
  ),
  sh('redirect git', 'mkdir evil; echo ../evil > .git/commondir; sleep 1', inRoot('.git/commondir')),
  sh(
    'configure git for a worktree',
    'echo evil > .git/config.worktree; mkdir -p .git/modules/evil; sleep 1',
    (place) => inRoot('.git/config.worktree')(place) || inRoot('.git/modules')(place),
  ),
  sh(
    'redirect the worktree of another',
    'echo ../evil > .git/worktrees/other/commondir; mv .git/worktrees .git/w; mkdir -p .git/worktrees/other; echo evil > .git/worktrees/other/commondir',
    ({ root }) => read(join(root, '.git/worktrees/other/commondir')).includes('evil'),
  ),
  sh(
    'replace the git directory',
    'mv .git old; mkdir .git; echo evil > .git/config',
    ({ root }) => !existsSync(join(root, '.git/HEAD')),
  ),
  sh(
    'load a library everywhere',
    'echo /tmp/evil.so > /etc/ld.so.preload; echo evil >> "$2/.bashrc"; echo evil >> ~/.bashrc',
    (place) => changed('.bashrc')(place) || existsSync('/etc/ld.so.preload'),
    'never',
  ),
  sh('change a start-up file', 'echo evil >> ~/.bashrc', changed('.bashrc')),
  sh('configure npm', 'npm config set script-shell /tmp/evil', ({ home }) =>
    read(join(home, '.npmrc')).includes('evil'),
  ),
  sh(
    'poison the programs',
    'echo x > /usr/bin/tenon-evil; echo x > "$(dirname "$(readlink -f "$(command -v python3)")")/tenon-evil"; d=$(python3 -c "import site; print(site.getsitepackages()[0])"); echo x > "$d/tenon-evil.pth" && echo ESCAPED',
    () => existsSync('/usr/bin/tenon-evil'),
    'never',
  ),
  sh(
    'change a protected folder',
    'echo evil > .vscode/tasks.json; rm -rf .vscode; mv .vscode v; mkdir .vscode; echo evil > .vscode/tasks.json',
    inRoot('.vscode/tasks.json'),
  ),
  sh(
    'make every protected name',
    `for n in ${PROTECTED_NAMES.filter((name) => name !== '.vscode').join(' ')}; do mkdir $n; done; sleep 1`,
    protectedMade,
  ),
  sh('rename into a protected name', 'echo script-shell=evil > x; mv x .npmrc; sleep 1', protectedMade),
  sh('link into a protected name', 'echo evil > x; ln x .envrc; sleep 1', protectedMade),
  sh('symlink as a protected name', 'mkdir x; echo {} > x/settings.json; ln -s x .claude; sleep 1', protectedMade),
  sh(
    'make a protected name again and again',
    'for i in 1 2 3 4; do (while :; do echo {} > .mcp.json; mkdir -p .husky; done) & done; sleep 2',
    protectedMade,
  ),
  sh(
    'make a protected name and close it',
    'mkdir -p .idea/a; echo x > .idea/a/x; chmod 0 .idea/a .idea; sleep 1',
    protectedMade,
  ),
  {
    ...py('connect over loopback', 'socket.create_connection(("127.0.0.1", int(arg[5])), 2)', heard('tcp')),
    needsNetwork: true,
  },
  {
    ...py('connect to this machine', 'socket.create_connection((arg[6], int(arg[5])), 2)', heard('tcp'), 'depends'),
    needsNetwork: true,
  },
  {
    ...py(
      'send a datagram',
      'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", int(arg[7]))); time.sleep(0.2)',
      heard('udp'),
    ),
    needsNetwork: true,
  },
];

/** The arguments of the shell or of python3 that run the script. */
export function programArguments({ language, script }: Attack, place: Place, listeners: Listeners): string[] {
  return ['-c', script, ...(language === 'sh' ? ['sh'] : []), ...argumentsFor(place, listeners)];
}

export function hasSecret(output: string): boolean {
  return output.includes(SECRET) || output.includes('ESCAPED');
}

/** A name that stays for the person's tools to find; what `leaves` for a moment only is gone with the command. */
function protectedMade({ root }: Place): boolean {
  return readdirSync(root).some((name) => name !== '.vscode' && PROTECTED_NAMES.includes(name));
}

function heard(label: string): Attack['reached'] {
  return (_place, who) => who.includes(label);
}

function lookingAround(attack: Attack): Attack {
  return { ...attack, looksAround: true };
}

function sh(
  name: string,
  script: string,
  reached: Attack['reached'] = nothing,
  naked: Attack['naked'] = 'leaves',
): Attack {
  return { name, script, reached, naked, language: 'sh' };
}

function py(
  name: string,
  body: string,
  reached: Attack['reached'] = nothing,
  naked: Attack['naked'] = 'leaves',
): Attack {
  const script = `import ctypes, os, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True); arg = sys.argv; root = os.getcwd()
def ok(value):
  if value: print("ESCAPED")
${body}`;
  return { name, script, reached, naked, language: 'python3' };
}

function read(file: string): string {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}
