import type { Trial } from '../trial';
import { fidelity } from './fidelity';
import { movePairs } from './move-pairs';
import { parallelEdits } from './parallel-edits';
import { symlinkSwap } from './symlink-swap';

export const trials: readonly Trial[] = [symlinkSwap, parallelEdits, movePairs, fidelity];
