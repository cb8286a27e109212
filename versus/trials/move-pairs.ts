import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { makeFolder } from '../places';
import { withSession } from '../session';
import { failures, type Trial } from '../trial';

const LIMIT_MS = { ours: 60_000, peers: 40_000 };

export const movePairs: Trial = {
  name: 'move-pairs',
  isLight: true,
  what: 'Two files are moved onto one free name at the same time, without leave to overwrite. Counted: pairs after which one of the two contents is gone.',
  async run(server, scale) {
    const wanted = scale.count({ ours: 500, peers: 500, quick: 100 });
    const folder = makeFolder({ inMemory: true });
    let pairs = 0;
    let lost = 0;
    let twice = 0;
    try {
      await withSession(server, { root: folder.path }, async (session) => {
        const until = scale.deadline(LIMIT_MS);
        for (; pairs < wanted && performance.now() < until; pairs++) {
          for (const name of ['a', 'b']) writeFileSync(folder.at(name), name);
          const answers = await Promise.all([session.move('a', 'c'), session.move('b', 'c')]);
          if (answers.every(({ ok }) => ok)) twice++;
          const left = ['a', 'b', 'c'].filter((name) => existsSync(folder.at(name)));
          if (new Set(left.map((name) => readFileSync(folder.at(name), 'utf8'))).size < 2) lost++;
          for (const name of left) rmSync(folder.at(name));
        }
      });
    } finally {
      folder.remove();
    }
    const notes = twice > 0 ? [`both moves were called done in ${twice} pairs`] : [];
    return { 'two moves onto one name: a file lost': failures(lost, pairs, notes) };
  },
};
