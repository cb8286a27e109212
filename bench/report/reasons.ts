/** Why a row is not reached, in a sentence or two, by its id; printed only while it is not. */
export const reasons: Readonly<Record<string, string>> = {
  'cold-start-24': 'Node 24 itself (`node -e 0, Node 24` in the second table) takes two thirds of it.',
  'read-1kb':
    'Parsing and checking the call, five system calls on the file and the answer, and a line of log. One after another, every call finds the processor’s caches cold and takes several times the processor time that it takes among 64 in flight (third table); the wire alone is `an echo in Node` in the second table.',
  'read-1kb-64': 'Opening, looking at, reading and closing the file is most of the processor time.',
  'read-1mb': 'The contract wants the answer as JSON inside a text, so that every text is escaped twice.',
  'read-10mb': 'As for 1 MB.',
  'window-first': 'All of the file is read, counted, and checked to be text, by a server that has just started.',
  'window-end': 'As for 1 KB: most of it is the call itself, not the lines.',
  'write-1kb-synced':
    'A file that is replaced needs two syncs, its own and its directory’s. In C the same (temporary file, sync, rename, sync) takes 1.4 to 2.1 times as long as write and fsync; to wake the server, the lock between processes, and the two trips to another thread, so that a slow disk holds up nobody else, are the rest.',
  'write-1kb-fast':
    'Most of it is the system’s: the rename over the old file, with which ext4 begins to write the new one, and waking the server. server-filesystem renames too; it takes no lock between processes, and leaves its temporary file behind when it is killed.',
  'write-1mb-fast': 'Reading and parsing the request is most of it, and the same for everybody.',
  'edit-1':
    'Decoding and searching 1 MB, the lock, a comparison before the rename, and both syncs: server-filesystem does not sync.',
  'list-10k-first':
    'The contract wants the size of each file. To look at 2,000 of them takes as long as to read the 10,000 names, and server-filesystem tells no sizes.',
  'run-command':
    'Bubblewrap alone, with nothing hidden, is `bare spawn under bwrap` in the second table, and above the bound by itself; the rest is what the command is shown, and looking after it. `tenon, no sandbox` is the same call with `--sandbox off`.',
  'memory-end': 'When the engine collects its garbage is its own choice; what was read last may still be there.',
};
