/** Why a row is not reached, in a sentence or two, by its id; printed only while it is not. */
export const reasons: Readonly<Record<string, string>> = {
  'cold-start-24': 'Node 24 itself (`node -e 0, Node 24` in the second table) takes two thirds of it.',
  'read-1kb':
    'Much of it is waking: a processor that has nothing to do sleeps, and on a virtual machine it is slow to wake. A program in Node that opens, looks at, reads and closes the file, and does nothing else, is in the second table, and so is the same after a pause, where that program alone takes about a quarter of the time of server-filesystem. The rest is to parse and check the call, the wall, and a line of log.',
  'read-1kb-64': 'Opening, looking at, reading and closing the file is most of the processor time.',
  'read-1mb': 'The contract wants the answer as JSON inside a text, so that every text is escaped twice.',
  'read-10mb': 'As for 1 MB.',
  'window-first': 'All of the file is read, counted, and checked to be text, by a server that has just started.',
  'window-end': 'As for 1 KB: most of it is the call itself, not the lines.',
  'write-1kb-synced':
    'A file that is replaced needs two syncs, its own and its directory’s. In C the same (temporary file, sync, rename, sync) takes 1.4 to 2.1 times as long as write and fsync; to wake the server, the lock between processes, and the note by which the remains of a killed server are found are the rest.',
  'write-1kb-fast':
    'To make the new file, to rename it over the old one, and to wake the server is most of it. server-filesystem renames too; it takes no lock between processes, and leaves its temporary file behind when it is killed.',
  'write-1mb-fast': 'Reading and parsing the request is most of it, and the same for everybody.',
  'edit-1':
    'Reading 1 MB, checking and searching it, the lock, a comparison before the rename, and both syncs: server-filesystem does not sync.',
  'list-10k-changed':
    'The contract wants the size of each file, and server-filesystem tells none. `names and sizes in Node` in the second table is a program that reads the 10,000 names, sorts them and looks at 2,000 files, warm, with no call around it: it alone takes as long as server-filesystem.',
  'run-command':
    'Bubblewrap alone, with nothing hidden, is `bare spawn under bwrap` in the second table, and takes up the bound by itself. So sandboxes are made in advance; the rest is looking after the command, and a program that starts in namespaces and behind a filter of system calls. `tenon, no sandbox` is the same call with `--sandbox off`.',
  'memory-end':
    'When the engine collects its garbage, and how much of it the C library gives back, is their own choice.',
};
