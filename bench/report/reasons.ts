/** Why a row is not reached, in a sentence, by its id; printed only while it is not. */
export const reasons: Readonly<Record<string, string>> = {
  'read-1kb':
    'A call costs five system calls on the file (open, look, read, close, and the answer), one line of log, and waking two processes. A `ping`, which does nothing, takes a third to a half of that time.',
  'read-1kb-64':
    'The same calls without the waiting: opening, looking at, reading and closing the file through held directories is more than half of the processor time.',
  'read-1mb':
    'The contract wants the answer as JSON inside a text, so the text is escaped twice; those two passes are two thirds of the processor time.',
  'read-10mb': 'As for 1 MB: two passes of escaping. server-filesystem sends the text twice, each escaped once.',
  'window-first':
    'A bare loop that counts the lines of 100 MB takes 41 to 48 ms here; the rest is checking that all of it is text, in slices that let other calls in, and a server that has just started.',
  'window-end': 'As for 1 KB: most of it is the call itself, not the lines.',
  'write-1kb-synced':
    'A file that is replaced needs two syncs, its own and its directory’s. In C the same (temporary file, sync, rename, sync) takes 1.4 to 2.1 times as long as write and fsync.',
  'write-1kb-fast':
    'Atomic writes with a lock between processes: the rename over the old file is most of it. server-filesystem also renames, and takes no lock.',
  'edit-1':
    'Decoding, searching and encoding 1 MB, the lock, a comparison before the rename, and both syncs: server-filesystem does not sync.',
  'list-10k-first':
    'The contract wants the size of each file: 2,000 looks through the held directory take more time than server-filesystem needs for names alone.',
  'run-command':
    'Bubblewrap alone, with nothing hidden, is `bare spawn under bwrap` in the second table; the rest is preparing what the command sees, and looking after it. `tenon, no sandbox` is the same call with `--sandbox off`.',
};
