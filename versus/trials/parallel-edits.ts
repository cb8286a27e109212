import { readFileSync, writeFileSync } from 'node:fs';
import { makeFolder } from '../places';
import { withSession } from '../session';
import type { Trial } from '../trial';

const EDITS = 50;
const LIMIT_MS = { ours: 60_000, peers: 60_000 };

export const parallelEdits: Trial = {
  name: 'parallel-edits',
  isLight: true,
  what: `${EDITS} edits of ${EDITS} different lines of one file, all in flight at once. Counted: edits that the server called done and that are missing from the file.`,
  async run(server, scale) {
    const rounds = scale.count({ ours: 10, peers: 5, quick: 1 });
    const folder = makeFolder({ inMemory: false });
    let sent = 0;
    let done = 0;
    let lost = 0;
    try {
      await withSession(server, { root: folder.path }, async (session) => {
        const until = scale.deadline(LIMIT_MS);
        for (let round = 0; round < rounds && performance.now() < until; round++) {
          sent += EDITS;
          const path = folder.at('lines.txt');
          writeFileSync(path, Array.from({ length: EDITS }, (_, line) => `line ${line} is old;\n`).join(''));
          const answers = await Promise.all(
            Array.from({ length: EDITS }, (_, line) =>
              session.edit('lines.txt', { from: `line ${line} is old;`, to: `line ${line} is new;` }),
            ),
          );
          const text = readFileSync(path, 'utf8');
          for (const [line, { ok }] of answers.entries()) {
            if (!ok) continue;
            done++;
            if (!text.includes(`line ${line} is new;`)) lost++;
          }
        }
      });
    } finally {
      folder.remove();
    }
    return {
      '50 parallel edits of one file: lost though called done': {
        text: `${lost} of ${done}`,
        holds: lost === 0 && done === sent,
        notes: done === sent ? [] : [`${sent - done} of ${sent} edits were refused`],
      },
    };
  },
};
