/** The system calls that the filter knows, by their numbers on each architecture. */

export interface CallTable {
  /** How the kernel names the architecture (AUDIT_ARCH_*). */
  readonly architecture: number;
  /** Numbers from here on belong to a second set of calls on the same architecture. */
  readonly foreignFrom?: number;
  /** Answered with EPERM. */
  readonly refused: readonly number[];
  /** Answered with ENOSYS, so that programs take their older road. */
  readonly unknown: readonly number[];
  readonly clone: number;
  readonly ioctl: number;
  readonly socket: number;
  readonly socketpair: number;
}

/** Call, number on x64, number on arm64; absent where the architecture has no such call. */
const REFUSED: readonly (readonly [name: string, x64: number, arm64?: number])[] = [
  // Other processes.
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['process_madvise', 440, 440],
  ['kcmp', 312, 272],
  ['pidfd_getfd', 438, 438],
  // Keys of the person's session.
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  // Mounts and namespaces.
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['move_mount', 429, 429],
  ['open_tree', 428, 428],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['unshare', 272, 97],
  ['setns', 308, 268],
  // Files without a path.
  ['open_by_handle_at', 304, 265],
  ['fanotify_init', 300, 262],
  // The kernel itself.
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['reboot', 169, 142],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['acct', 163, 89],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  ['syslog', 103, 116],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['lookup_dcookie', 212, 18],
  ['iopl', 172],
  ['ioperm', 173],
  ['modify_ldt', 154],
  ['uselib', 134],
];

/** io_uring makes sockets past any filter; the flags of clone3 lie in memory, where a filter cannot see them. */
const UNKNOWN = [425, 426, 427, 435];

export const CALL_TABLES: Readonly<Record<string, CallTable>> = {
  x64: {
    architecture: 0xc000003e,
    foreignFrom: 0x40000000,
    refused: REFUSED.map(([, x64]) => x64),
    unknown: UNKNOWN,
    clone: 56,
    ioctl: 16,
    socket: 41,
    socketpair: 53,
  },
  arm64: {
    architecture: 0xc00000b7,
    refused: REFUSED.flatMap(([, , arm64]) => arm64 ?? []),
    unknown: UNKNOWN,
    clone: 220,
    ioctl: 29,
    socket: 198,
    socketpair: 199,
  },
};
