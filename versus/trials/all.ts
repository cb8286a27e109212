import type { Trial } from '../trial';
import { advisories } from './advisories';
import { crowdAppends } from './crowd-appends';
import { crowdEdits } from './crowd-edits';
import { fidelity } from './fidelity';
import { fullDisk } from './full-disk';
import { httpAttacks } from './http-attacks';
import { httpClients } from './http-clients';
import { injectedErrors } from './injected-errors';
import { killOverwrite } from './kill-overwrite';
import { movePairs } from './move-pairs';
import { parallelEdits } from './parallel-edits';
import { pathFuzz } from './path-fuzz';
import { powerCut } from './power-cut';
import { processes } from './processes';
import { sandboxEscapes } from './sandbox-escapes';
import { symlinkSwap } from './symlink-swap';

export const trials: readonly Trial[] = [
  symlinkSwap,
  pathFuzz,
  advisories,
  parallelEdits,
  crowdEdits,
  crowdAppends,
  movePairs,
  killOverwrite,
  powerCut,
  fullDisk,
  injectedErrors,
  fidelity,
  processes,
  sandboxEscapes,
  httpClients,
  httpAttacks,
];
