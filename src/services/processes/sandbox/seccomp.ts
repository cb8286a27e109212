/**
 * The filter of system calls, as the bytes of the kernel's little filter machine. It goes through the calls in one
 * pass and lets pass what it does not know:
 * - calls of another architecture or call set do not exist;
 * - calls of no use to everyday work, but of use to an attacker, are refused (see seccomp-tables);
 * - clone may not make namespaces, ioctl may not type into a terminal;
 * - sockets are of the internet, or netlink (which lists the interfaces). Machine sockets (AF_VSOCK) would reach the
 *   machine's host past every network namespace. Local sockets (AF_UNIX) are let through without a network only: with
 *   one, the abstract names of the whole system are in reach. Connected pairs are harmless and always there, except
 *   datagram pairs, which can be sent anywhere.
 */
import { CALL_TABLES, type CallTable } from './seccomp-tables';

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const FAIL_WITH = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const CALL_AT = 0;
const ARCHITECTURE_AT = 4;
/** The lower half of the first argument; the next ones follow every eight bytes. */
const FIRST_ARGUMENT_AT = 16;
const SECOND_ARGUMENT_AT = 24;

/** CLONE_NEWNS, -CGROUP, -UTS, -IPC, -USER, -PID and -NET. */
const NAMESPACE_FLAGS = 0x7e020000;
const TERMINAL_REQUESTS = [0x5412, 0x541c];
const AF_UNIX = 1;
const INTERNET_FAMILIES = [2, 10, 16];
const SOCKET_TYPE_BITS = 0xf;
/** SOCK_STREAM and SOCK_SEQPACKET. */
const PAIR_TYPES = [1, 5];

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** How many instructions to skip when the comparison holds, and when it does not. */
  readonly yes?: number;
  readonly no?: number;
}

/** Undefined for an architecture whose calls are not known. */
export function seccompFilter(options: { arch: string; network: 'on' | 'off' }): Buffer | undefined {
  const table = CALL_TABLES[options.arch];
  if (table === undefined) return undefined;
  const families = options.network === 'on' ? INTERNET_FAMILIES : [AF_UNIX, ...INTERNET_FAMILIES];
  const instructions = [
    load(ARCHITECTURE_AT),
    ...unless(table.architecture, [fail(ENOSYS)]),
    load(CALL_AT),
    ...foreign(table),
    ...table.unknown.flatMap((call) => when(call, [fail(ENOSYS)])),
    ...table.refused.flatMap((call) => when(call, [fail(EPERM)])),
    ...when(table.clone, [
      load(FIRST_ARGUMENT_AT),
      { code: JUMP_ANY_BIT, value: NAMESPACE_FLAGS, yes: 0, no: 1 },
      fail(EPERM),
      allow,
    ]),
    ...when(table.ioctl, [
      load(SECOND_ARGUMENT_AT),
      ...TERMINAL_REQUESTS.flatMap((request) => when(request, [fail(EPERM)])),
      allow,
    ]),
    ...when(table.socket, [
      load(FIRST_ARGUMENT_AT),
      ...families.flatMap((family) => when(family, [allow])),
      ...when(AF_UNIX, [fail(EPERM)]),
      fail(EAFNOSUPPORT),
    ]),
    ...(options.network === 'off' ? [] : when(table.socketpair, onlyConnectedPairs())),
    allow,
  ];
  return Buffer.concat(instructions.map(encode));
}

function onlyConnectedPairs(): Instruction[] {
  return [
    load(SECOND_ARGUMENT_AT),
    { code: AND, value: SOCKET_TYPE_BITS },
    ...PAIR_TYPES.flatMap((type) => when(type, [allow])),
    fail(EPERM),
  ];
}

function foreign({ foreignFrom }: CallTable): Instruction[] {
  if (foreignFrom === undefined) return [];
  return [{ code: JUMP_AT_LEAST, value: foreignFrom, yes: 0, no: 1 }, fail(ENOSYS)];
}

const allow: Instruction = { code: RETURN, value: ALLOW };

function fail(errno: number): Instruction {
  return { code: RETURN, value: FAIL_WITH | errno };
}

function load(offset: number): Instruction {
  return { code: LOAD, value: offset };
}

function when(value: number, body: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_EQUAL, value, yes: 0, no: body.length }, ...body];
}

function unless(value: number, body: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_EQUAL, value, yes: body.length, no: 0 }, ...body];
}

/** As struct sock_filter; both architectures are little-endian. */
function encode({ code, value, yes = 0, no = 0 }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
