import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { makeFolder } from '../places';
import type { Answer } from '../server';
import { withSession } from '../session';
import type { Cell, Figure, Trial } from '../trial';

interface Case {
  readonly label: string;
  readonly before: Buffer;
  /** What the edit of `old` to `new` must make of it, where the server takes the file for text. */
  readonly after: Buffer;
  readonly from?: string;
  readonly to?: string;
  readonly mode?: number;
  readonly owner?: number;
}

const OWNER = 1234;
const utf8 = (text: string) => Buffer.from(text, 'utf8');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

const CASES: readonly Case[] = [
  { label: 'CRLF', before: utf8('a\r\nold\r\nb\r\n'), after: utf8('a\r\nnew\r\nb\r\n') },
  {
    label: 'CRLF, edit of two lines sent with LF',
    before: utf8('a\r\nold\r\nb\r\nc\r\n'),
    after: utf8('a\r\nnew\r\nB\r\nc\r\n'),
    from: 'old\nb\n',
    to: 'new\nB\n',
  },
  { label: 'mixed line endings', before: utf8('a\r\nb\nold\nc\r\n'), after: utf8('a\r\nb\nnew\nc\r\n') },
  { label: 'byte order mark', before: utf8('\uFEFFa\nold\n'), after: utf8('\uFEFFa\nnew\n') },
  { label: 'UTF-16 with byte order mark', before: utf16('a\nold\nü\n'), after: utf16('a\nnew\nü\n') },
  { label: 'Latin-1', before: latin1('caf\xe9\nold\n'), after: latin1('caf\xe9\nnew\n') },
  { label: 'binary', before: latin1('\x00\x01\xff\nold\n\xfe'), after: latin1('\x00\x01\xff\nnew\n\xfe') },
  { label: '$& in the new text', before: utf8('a\nold\n'), after: utf8("a\n$& $1 $' $$\n"), to: "$& $1 $' $$" },
  { label: 'no newline at the end', before: utf8('a\nold'), after: utf8('a\nnew') },
  { label: 'setuid bit and mode 4751', before: utf8('old\n'), after: utf8('new\n'), mode: 0o4751 },
  { label: 'owner', before: utf8('old\n'), after: utf8('new\n'), owner: OWNER },
];

export const fidelity: Trial = {
  name: 'fidelity',
  isLight: true,
  what: 'A file of each kind gets a small edit. `kept`: exactly the bytes of the match changed. `refused`: the server said no and left the file alone. `damaged`: other bytes, the mode or the owner changed too. `lost`: the server called it done and did nothing.',
  async run(server) {
    const folder = makeFolder({ inMemory: false });
    try {
      return await withSession(server, { root: folder.path }, async (session) => {
        const rows: [string, Cell][] = [];
        for (const [at, kind] of CASES.entries()) {
          if (kind.owner !== undefined && process.getuid?.() !== 0) continue;
          const name = `f${at}.txt`;
          writeFileSync(folder.at(name), kind.before);
          if (kind.owner !== undefined) chownSync(folder.at(name), kind.owner, kind.owner);
          if (kind.mode !== undefined) chmodSync(folder.at(name), kind.mode);
          const answer = await session.edit(name, { from: kind.from ?? 'old', to: kind.to ?? 'new' });
          rows.push([`edit keeps: ${kind.label}`, judge(folder.at(name), kind, answer)]);
        }
        return Object.fromEntries(rows) satisfies Figure;
      });
    } finally {
      folder.remove();
    }
  },
};

function judge(path: string, kind: Case, answer: Answer): Cell {
  const bytes = readFileSync(path);
  const { mode, uid } = statSync(path);
  const isAttributeKept =
    (kind.mode === undefined || (mode & 0o7777) === kind.mode) && (kind.owner === undefined || uid === kind.owner);
  if (!answer.ok) return { text: bytes.equals(kind.before) ? 'refused' : 'damaged', holds: bytes.equals(kind.before) };
  if (bytes.equals(kind.after) && isAttributeKept) return { text: 'kept', holds: true };
  if (bytes.equals(kind.before)) return { text: 'lost', holds: false };
  const what = bytes.equals(kind.after) ? `mode ${(mode & 0o7777).toString(8)}, owner ${uid}` : '';
  return { text: what ? `damaged (${what})` : 'damaged', holds: false };
}
