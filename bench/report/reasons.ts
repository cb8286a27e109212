/** Why a row is not reached, in a sentence, by its id; printed only while it is not. */
export const reasons: Readonly<Record<string, string>> = {
  'run-command':
    'The sandbox is two more programs to start: bubblewrap, and the check of what the command left behind. With `--sandbox off` the same call takes what the last column of the second table says.',
};
