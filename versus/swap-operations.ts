/** What is asked of a server while a directory on the way is being swapped, and how an escape shows. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Answer, Operation, Server, ToolCall, Tools } from './server';
import { BATCH, clear, clearOthers, contentOf, makeSwapStage, restore, SECRET, type SwapStage } from './swap-stage';
import type { Counts } from './trial';

export interface SwapOperation {
  readonly label: string;
  readonly needs: Operation;
  readonly counts: Counts;
  stage(server: Server): SwapStage;
  /** The calls that are sent together. */
  batch(stage: SwapStage, tools: Tools): (ToolCall | undefined)[];
  /** How many of them reached outside; puts everything back for the next batch. */
  escapes(stage: SwapStage, answers: readonly Answer[]): number;
}

const LANES = Array.from({ length: BATCH }, (_, lane) => lane);
const INSIDE = 'marker inside\n';
const OUTSIDE = `marker ${SECRET}\n`;

export const swapOperations: readonly SwapOperation[] = [
  {
    label: 'read',
    needs: 'read',
    counts: { ours: 24_000, peers: 20_000, quick: 320 },
    stage: () => stageWithFiles(),
    batch: ({ directory }, tools) => LANES.map((lane) => tools.read?.(`${directory}/f${lane}`)),
    escapes: (_, answers) => countSecrets(answers),
  },
  {
    label: 'write',
    needs: 'write',
    counts: { ours: 24_000, peers: 10_000, quick: 160 },
    stage: () => stageWithFiles(),
    batch: ({ directory }, tools) => LANES.map((lane) => tools.write?.(`${directory}/f${lane}`, 'written\n')),
    escapes: (stage) =>
      restore(files(stage.outside), OUTSIDE) +
      clearOthers(stage.outside('.'), new Set(LANES.map((lane) => `f${lane}`))),
  },
  {
    label: 'edit',
    needs: 'edit',
    counts: { ours: 6_000, peers: 4_000, quick: 160 },
    stage: () => stageWithFiles(),
    batch: ({ directory }, tools) =>
      LANES.map((lane) => tools.edit?.(`${directory}/f${lane}`, { from: 'marker', to: 'changed' })),
    escapes(stage, answers) {
      restore(files(stage.inside), INSIDE);
      return Math.max(restore(files(stage.outside), OUTSIDE), countSecrets(answers));
    },
  },
  {
    label: 'delete',
    needs: 'remove',
    counts: { ours: 6_000, peers: 6_000, quick: 160 },
    stage: () => stageWithFiles(),
    batch: ({ directory }, tools) => LANES.map((lane) => tools.remove?.(`${directory}/f${lane}`)),
    escapes(stage) {
      restore(files(stage.inside), INSIDE);
      return restore(files(stage.outside), OUTSIDE);
    },
  },
  {
    label: 'recursive delete',
    needs: 'removeTree',
    counts: { ours: 2_000, peers: 2_000, quick: 80 },
    stage: stageWithTrees,
    batch: (_, tools) => TREES.map((tree) => tools.removeTree?.(`t${tree}`)),
    escapes: rebuildTrees,
  },
  {
    label: 'move',
    needs: 'move',
    counts: { ours: 6_000, peers: 6_000, quick: 160 },
    stage: () => stageWithFiles(),
    batch: ({ directory }, tools) =>
      LANES.map((lane) =>
        lane % 2 === 0
          ? tools.move?.(`${directory}/f${lane}`, `s/out${lane}`)
          : tools.move?.(`s/in${lane}`, `${directory}/new${lane}`),
      ),
    escapes(stage) {
      restore(files(stage.inside), INSIDE);
      clear(LANES.map((lane) => stage.inside(`new${lane}`)));
      clear(LANES.map((lane) => stage.beside(`out${lane}`)));
      restore(
        LANES.map((lane) => stage.beside(`in${lane}`)),
        INSIDE,
      );
      return restore(files(stage.outside), OUTSIDE) + clear(LANES.map((lane) => stage.outside(`new${lane}`)));
    },
  },
  {
    label: 'mkdir',
    needs: 'makeDirectory',
    counts: { ours: 6_000, peers: 6_000, quick: 160 },
    stage: () => stageWithFiles(),
    batch: ({ directory }, tools) => LANES.map((lane) => tools.makeDirectory?.(`${directory}/n${lane}`)),
    escapes(stage) {
      clear(LANES.map((lane) => stage.inside(`n${lane}`)));
      return clear(LANES.map((lane) => stage.outside(`n${lane}`)));
    },
  },
  {
    label: 'list',
    needs: 'list',
    counts: { ours: 6_000, peers: 6_000, quick: 160 },
    stage() {
      const stage = stageWithFiles();
      writeFileSync(stage.outside(SECRET), '');
      return stage;
    },
    batch: ({ directory }, tools) => LANES.map(() => tools.list?.(directory)),
    escapes: (_, answers) => countSecrets(answers),
  },
  {
    label: 'append',
    needs: 'append',
    counts: { ours: 6_000, peers: 6_000, quick: 160 },
    stage(server) {
      const stage = makeSwapStage(dirname(server.appendPath));
      for (const side of [stage.inside, stage.outside]) writeFileSync(side(nameOf(server)), '');
      return stage;
    },
    batch: (_, tools) => LANES.map(() => tools.append?.('entry')),
    escapes: ({ outside }) => readdirSync(outside('.')).reduce((sum, name) => sum + takeLines(outside(name)), 0),
  },
];

function stageWithFiles(): SwapStage {
  const stage = makeSwapStage('d');
  restore(files(stage.inside), INSIDE);
  restore(files(stage.outside), OUTSIDE);
  restore(
    LANES.map((lane) => stage.beside(`in${lane}`)),
    INSIDE,
  );
  return stage;
}

function files(side: (name: string) => string): string[] {
  return LANES.map((lane) => side(`f${lane}`));
}

function countSecrets(answers: readonly Answer[]): number {
  return answers.filter(({ text }) => text.includes(SECRET)).length;
}

function nameOf({ appendPath }: Server): string {
  return appendPath.slice(appendPath.lastIndexOf('/') + 1);
}

function takeLines(path: string): number {
  const size = statSync(path).size;
  const lines = size === 0 ? 0 : (contentOf(path) ?? '').split('\n').length - 1;
  if (size > 0) truncateSync(path, 0);
  return lines;
}

/** In each tree that is to be deleted, a directory changes places with a link to a like one outside. */
const TREES = LANES.slice(0, 8);
const LEAVES = Array.from({ length: 8 }, (_, leaf) => `leaf${leaf}`);

function stageWithTrees(): SwapStage {
  const stage = makeSwapStage('d');
  for (const tree of TREES) {
    mkdirSync(stage.outside(`t${tree}`));
    restore(
      LEAVES.map((leaf) => stage.outside(`t${tree}/${leaf}`)),
      OUTSIDE,
    );
    stage.pairs.push([`${stage.root}/t${tree}/d`, `${stage.root}/t${tree}/l`]);
  }
  rebuildTrees(stage);
  return stage;
}

function rebuildTrees(stage: SwapStage): number {
  const robbed = TREES.filter((tree) => {
    mkdirSync(stage.outside(`t${tree}`), { recursive: true });
    return (
      restore(
        LEAVES.map((leaf) => stage.outside(`t${tree}/${leaf}`)),
        OUTSIDE,
      ) > 0
    );
  });
  for (const tree of TREES) {
    const home = `${stage.root}/t${tree}`;
    takeAway(home, `${stage.root}/s/old${tree}`);
    // Built aside, so that the attacker finds the tree whole.
    const fresh = `${stage.root}/s/t${tree}`;
    mkdirSync(`${fresh}/d`, { recursive: true });
    for (const leaf of LEAVES) writeFileSync(`${fresh}/d/${leaf}`, INSIDE);
    symlinkSync(stage.outside(`t${tree}`), `${fresh}/l`);
    renameSync(fresh, home);
  }
  return robbed.length;
}

/** Out of the attacker's reach first: deleting a tree under attack is the very thing that goes wrong. */
function takeAway(tree: string, aside: string): void {
  if (!existsSync(tree)) return;
  renameSync(tree, aside);
  clear([aside]);
}
