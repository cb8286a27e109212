/** The attacks that are paths: what is laid out for them, and what is then asked of every tool that takes a path. */

/** Where the served folder lies; beside it `out/f`, `out/sub/f` and `ws-evil/f` are there to be stolen or spoilt. */
export interface Around {
  readonly root: string;
  readonly out: string;
  readonly evil: string;
}

export interface PathAttack {
  /** Symbolic links in the served folder, by their names. */
  readonly links?: Readonly<Record<string, string>>;
  readonly paths: (around: Around) => readonly string[];
  /** The path is itself a link: deleting or moving it concerns the link alone. */
  readonly isLink?: boolean;
  /** It leads to a real place of this machine: only a server that is known to refuse may be asked to change it. */
  readonly isReal?: boolean;
}

export const PATH_ATTACKS: Readonly<Record<number, readonly PathAttack[]>> = {
  1: [{ paths: ({ evil }) => ['../ws-evil/f', `${evil}/f`, evil] }],
  2: [
    { links: { file: '../out/f', folder: '../out' }, paths: () => ['file', 'folder'], isLink: true },
    { links: { passwd: '/etc/passwd' }, paths: () => ['passwd'], isLink: true, isReal: true },
  ],
  4: [
    { links: { dangling: '../out/new' }, paths: () => ['dangling'], isLink: true },
    { links: { dangling: '../out/new' }, paths: () => ['dangling/a'] },
  ],
  5: [{ links: { 'a/link': '../../out' }, paths: () => ['a/link/f', 'a/link/sub/f', 'a/link/new/deep'] }],
  6: [
    { paths: ({ out }) => [`${out}/f`, `${out}//f`, `/usr/..${out}/f`, `/proc/self/root${out}/f`, `${out}/any`] },
    {
      paths: () => ['/etc/passwd', '/etc//passwd', '/usr/../etc/passwd', '/proc/self/root/etc/passwd', '/srv/any', '/'],
      isReal: true,
    },
  ],
  7: [{ paths: () => ['../out/f', '../../x', 'a/../../out/f', './../out/new'] }],
  25: [
    { paths: ({ out }) => [`/${out}/f`, `${'../'.repeat(30)}${out.slice(1)}/f`] },
    { paths: () => ['//etc/passwd', `${'../'.repeat(30)}etc/passwd`], isReal: true },
  ],
};

/** A path that ends early for whoever reads it as a C string. */
export const PATH_WITH_NUL = 'own.txt\0/../../out/f';

/** What a command plants, and where the tools outside the sandbox are then led. */
export const plantedLinks = ({ out }: Around): PathAttack[] => [
  { links: { l: out, n: '../out/new' }, paths: () => ['l', 'n'], isLink: true },
  { links: { l: out }, paths: () => ['l/f'] },
];

export const FOREIGN_PATHS = String.raw`C:\out\f c:/out/f \\server\share \\?\C:\f ..\out\f`
  .split(' ')
  .concat(['a\nb', 'a\u001b[31mb', 'a\u0085b']);

/** Names that a careless decoder would read as `..` or as a home folder. */
export const PLAIN_NAMES = '%2e%2e/out/f %2e%2e%2fout ..%c0%af ....//out/f ~/f ~root/f \u2024\u2024/f'.split(' ');

/** Names that a program would take for its flags. */
export const flagLikeNames = ({ out }: Around): string[] => [`--output=${out}/f`, '-rf', '--', '-c/core.pager'];

export const NOT_WINDOWS_NAMES = 'a.txt:x a.txt::$DATA NUL CON.txt com1 LPT9.log a. sub/aux C:x a? a|b'
  .split(' ')
  .concat(['a ', 'a\u0007']);

export const NOT_WINDOWS_PATHS = String.raw`\\?\C:\ws\f \\.\C:\ws\f \\?\UNC\server\share\f \ws\f C:f`.split(' ');

/** Addresses where a path is expected. */
export function addresses({ out }: Around, port: number): string[] {
  return [`http://127.0.0.1:${port}/f`, `//127.0.0.1:${port}/f`, `file://${out}/f`];
}

/** Names that a rule may forbid, and other names by which the same files can be reached. */
export const FORBIDDEN = {
  files: ['.env', '.ENV.local', '.git/config', 'keys/my-Secret.txt', '.vscode/tasks.json'],
  links: { 'notes.txt': '.env', 'again.txt': 'notes.txt', g: '.git', k: 'keys/my-Secret.txt', editor: '.vscode' },
  /** The name, and the file that it means. */
  reads: [
    ['.env', '.env'],
    ['.ENV.local', '.ENV.local'],
    ['notes.txt', '.env'],
    ['again.txt', '.env'],
    ['g/config', '.git/config'],
    ['.git/config', '.git/config'],
    ['k', 'keys/my-Secret.txt'],
  ],
  writes: [
    ['g/config', '.git/config'],
    ['editor/tasks.json', '.vscode/tasks.json'],
    ['editor/new.json', '.vscode/new.json'],
  ],
} as const;

const PATHOLOGICAL_CHARACTERS = 100_000;
const PATHOLOGICAL_UNITS = ['a', ' ', '\t\n', '../', '\\', '.git.', '{x}', '\u200d'];

/** Texts on which careless expressions need quadratic or exponential time. */
export function pathologicalTexts(): string[] {
  return PATHOLOGICAL_UNITS.map((unit) => `${unit.repeat(PATHOLOGICAL_CHARACTERS / unit.length)}!`);
}

/** A text to search for in a file of this one, that almost matches. */
export function almost(text: string): string {
  return `${text.slice(9)}?`;
}
