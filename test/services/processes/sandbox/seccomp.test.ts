import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seccompFilter } from '../../../../src/services/processes/sandbox/seccomp';

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const ALLOW = 'allow';
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

describe('the filter of system calls', () => {
  it.each([
    ['x64', 'on', '0ae17159a228a263'],
    ['x64', 'off', '11b5b5bd133411db'],
    ['arm64', 'on', '1d09d06e976a6b17'],
    ['arm64', 'off', '64eab450a8b32887'],
  ] as const)('is the same bytes every time: %s, network %s', (arch, network, hash) => {
    const filter = bytesOf(arch, network);
    expect(filter.length % 8).toBe(0);
    expect(createHash('sha256').update(filter).digest('hex').slice(0, 16)).toBe(hash);
  });

  it('is not there for an architecture whose calls are not known', () => {
    expect(seccompFilter({ arch: 'riscv64', network: 'on' })).toBeUndefined();
  });

  it.each([
    ['read', 0, [], ALLOW],
    ['execve', 59, [], ALLOW],
    ['ptrace', 101, [], EPERM],
    ['mount', 165, [], EPERM],
    ['unshare', 272, [], EPERM],
    ['keyctl', 250, [], EPERM],
    ['io_uring_setup', 425, [], ENOSYS],
    ['clone3', 435, [], ENOSYS],
    ['clone of a thread', 56, [0x3d0f00], ALLOW],
    ['clone of a user namespace', 56, [0x10000011], EPERM],
    ['ioctl TCGETS', 16, [0, 0x5401], ALLOW],
    ['ioctl TIOCSTI', 16, [0, 0x5412], EPERM],
    ['ioctl TIOCLINUX', 16, [0, 0x541c], EPERM],
    ['socket AF_INET', 41, [2, 1], ALLOW],
    ['socket AF_NETLINK', 41, [16, 3], ALLOW],
    ['socket AF_VSOCK', 41, [40, 1], EAFNOSUPPORT],
    ['socket AF_PACKET', 41, [17, 3], EAFNOSUPPORT],
    ['socketpair of streams', 53, [1, 1 | 0x80000], ALLOW],
    ['a call of the x32 set', 0x40000000 + 101, [], ENOSYS],
  ] as const)('x64: %s', (_name, call, args, answer) => {
    for (const network of ['on', 'off'] as const)
      expect(run(bytesOf('x64', network), { architecture: X64, call, args })).toBe(answer);
  });

  it('local sockets and datagram pairs are there without a network only', () => {
    const answers = (network: 'on' | 'off') =>
      [
        [41, [1, 1]],
        [53, [1, 2]],
        [53, [1, 3]],
      ].map(([call, args]) =>
        run(bytesOf('x64', network), { architecture: X64, call: call as number, args: args as number[] }),
      );
    expect({ on: answers('on'), off: answers('off') }).toEqual({
      on: [EPERM, EPERM, EPERM],
      off: [ALLOW, ALLOW, ALLOW],
    });
  });

  it('calls of another architecture do not exist', () => {
    expect(run(bytesOf('x64', 'on'), { architecture: 0x40000003, call: 0, args: [] })).toBe(ENOSYS);
    expect(run(bytesOf('arm64', 'on'), { architecture: X64, call: 0, args: [] })).toBe(ENOSYS);
  });

  it('arm64 has the same rules under its own numbers', () => {
    const ask = (call: number, args: readonly number[] = []) =>
      run(bytesOf('arm64', 'on'), { architecture: ARM64, call, args });
    expect([ask(63), ask(117), ask(40), ask(425), ask(220, [0x10000000]), ask(198, [1]), ask(198, [2])]).toEqual([
      ALLOW,
      EPERM,
      EPERM,
      ENOSYS,
      EPERM,
      EPERM,
      ALLOW,
    ]);
  });
});

function bytesOf(arch: string, network: 'on' | 'off'): Buffer {
  return seccompFilter({ arch, network }) ?? Buffer.alloc(0);
}

/** The kernel's machine, as far as the filter uses it. */
function run(
  filter: Buffer,
  { architecture, call, args }: { architecture: number; call: number; args: readonly number[] },
): number | string {
  const memory = new Map<number, number>([
    [0, call],
    [4, architecture],
  ]);
  for (let index = 0; index < 6; index++) memory.set(16 + 8 * index, args[index] ?? 0);
  let value = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const code = filter.readUInt16LE(at);
    const operand = filter.readUInt32LE(at + 4);
    const skip = (holds: boolean) => 8 * filter.readUInt8(at + (holds ? 2 : 3));
    if (code === 0x20) value = memory.get(operand) ?? Number.NaN;
    else if (code === 0x54) value = (value & operand) >>> 0;
    else if (code === 0x15) at += skip(value === operand);
    else if (code === 0x35) at += skip(value >= operand);
    else if (code === 0x45) at += skip((value & operand) !== 0);
    else if (code === 0x06) return operand === 0x7fff0000 ? ALLOW : operand & 0xffff;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no end');
}
