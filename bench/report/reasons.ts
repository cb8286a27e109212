/** Why a row is not reached, in a sentence, by its id; printed only while it is not. */
export const reasons: Readonly<Record<string, string>> = {
  'run-command':
    'Bubblewrap alone, with nothing hidden, is `bare spawn under bwrap` in the second table; the rest is preparing what the command sees, and looking after it. `tenon, no sandbox` is the same call with `--sandbox off`.',
};
