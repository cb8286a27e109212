export const workspaceRequirements: Readonly<Record<string, string>> = {
  // Every tool of the set
  'workspace.envelope.success': 'A success is {ok: true, data} as JSON in content[0].text.',
  'workspace.envelope.failure':
    'A failure is {ok: false, error: {code, message, details}}: a code of the list, a message for people, and details.',
  'workspace.details':
    'details always helps: the path that was meant, the limit and the size, the count and the lines, the allowed commands.',

  // Paths, in every path field
  'workspace.path.relative': 'Only paths relative to the workspace are allowed.',
  'workspace.path.absolute': 'An absolute path is INVALID_PATH, in the spelling of any system.',
  'workspace.path.dotdot': 'A path with a `..` segment is INVALID_PATH, wherever it would lead.',
  'workspace.path.characters': 'A backslash, a NUL and any control character are INVALID_PATH.',
  'workspace.path.empty': 'An empty path is INVALID_PATH.',
  'workspace.path.workspace-prefix':
    '`workspace/` is taken off the front as often as it stands there: workspace/workspace/a.txt is a.txt.',
  'workspace.path.shown': 'Answers show the path in its short form, relative to the workspace.',
  'workspace.path.plain-names':
    'What only looks like an escape (%2e%2e, ~, ....//, --output=x) is a name like any other.',
  'workspace.path.long':
    'A name too long for the file system is INVALID_PATH; a path may have 32,767 characters and 256 names, and no more.',
  'workspace.path.trailing-slash': 'A path that ends with a slash means a directory; no file is reached by it.',
  'workspace.path.symlink-out': 'A symlink that leads outside is INVALID_PATH, to a file or a directory, also as cwd.',
  'workspace.path.symlink-dangling': 'A symlink that leads outside is INVALID_PATH also where its target is not there.',
  'workspace.path.symlink-middle': 'A symlink that leads outside is INVALID_PATH also in the middle of the path.',
  'workspace.path.symlink-inside': 'A symlink that stays inside works, and stays a symlink.',
  'workspace.path.swapped': 'A directory that another process turns into a symlink meanwhile leads nobody outside.',
  'workspace.path.root-symlink': 'A workspace given by a symlink is the directory behind it.',

  // list_dir
  'workspace.list.input': 'list_dir takes dir, recursive and maxEntries (1 to 2000), and nothing else.',
  'workspace.list.defaults': 'By default dir is `.`, recursive is false and maxEntries is 500.',
  'workspace.list.output': 'list_dir answers dir, entries of {path, type: file|dir|symlink, size}, and truncated.',
  'workspace.list.error.INVALID_PATH': 'A dir that may not be is INVALID_PATH.',
  'workspace.list.error.NOT_DIRECTORY': 'A file as dir is NOT_DIRECTORY.',
  'workspace.list.error.NOT_FOUND': 'A dir that is not there is NOT_FOUND.',
  'workspace.list.error.VALIDATION_ERROR':
    'A parameter that is unknown, of the wrong type or out of bounds is VALIDATION_ERROR.',
  'workspace.list.security.traversal': 'No directory outside the workspace can be listed.',
  'workspace.list.security.bounded': 'The number of entries is bounded by maxEntries.',
  'workspace.list.manual.1': '{"dir": ".", "recursive": false} succeeds with an array of entries.',
  'workspace.list.manual.2': '{"dir": "../"} is ok: false with INVALID_PATH.',
  'workspace.list.manual.3': '{"dir": "workspace/workspace"} succeeds, and its dir is ".".',
  'workspace.list.sorted': 'Entries are sorted by path, bytewise.',
  'workspace.list.depth-first': 'A recursive listing goes depth first.',
  'workspace.list.max-entries': 'The listing stops at maxEntries with truncated: true, and only when there is more.',
  'workspace.list.size': 'size is given for files, in bytes.',
  'workspace.list.symlinks': 'Symlinks are shown as symlink and never walked through.',
  'workspace.list.temporaries': 'Files named as our temporary files are not listed; other hidden files are.',
  'workspace.list.now':
    'A listing shows names, kinds and sizes as they are now, however often it was asked for before.',
  'workspace.list.named': 'The paths of the entries begin with the directory as it was named.',

  // read_file
  'workspace.read.input': 'read_file takes file and maxBytes (1 to 1048576), and nothing else.',
  'workspace.read.defaults': 'By default maxBytes is 262144.',
  'workspace.read.output': 'read_file answers file, content and bytes.',
  'workspace.read.sent-once': 'read_file publishes no output schema and sends its text once.',
  'workspace.read.error.INVALID_PATH': 'A file that may not be read by its path is INVALID_PATH.',
  'workspace.read.error.NOT_FOUND': 'A file that is not there is NOT_FOUND.',
  'workspace.read.error.NOT_FILE': 'A directory, device, socket or pipe is NOT_FILE, at once.',
  'workspace.read.error.FILE_TOO_LARGE': 'A file larger than maxBytes is FILE_TOO_LARGE, with its size in details.',
  'workspace.read.error.VALIDATION_ERROR': 'A parameter that is missing, unknown or wrong is VALIDATION_ERROR.',
  'workspace.read.security.bounded': 'No more than maxBytes are ever read, counted in bytes.',
  'workspace.read.security.root': 'No file outside the workspace can be read.',
  'workspace.read.manual.1': '{"file": "notes.txt"} gives content and bytes.',
  'workspace.read.manual.2': '{"file": "/etc/passwd"} is INVALID_PATH.',
  'workspace.read.manual.3': '{"file": "big.txt", "maxBytes": 16} for a larger file is FILE_TOO_LARGE.',
  'workspace.read.exact':
    'The content is the exact text, line ends and byte order mark included; bytes is the size on disk.',
  'workspace.read.binary': 'A file that is not UTF-8 text is VALIDATION_ERROR with details.reason "binary".',

  // edit_file
  'workspace.edit.input':
    'edit_file takes file, find (not empty), replace, replaceAll (false by default) and expectedOccurrences (1 to 1000000).',
  'workspace.edit.output': 'edit_file answers file and replacements.',
  'workspace.edit.error.INVALID_PATH': 'A file that may not be edited by its path is INVALID_PATH.',
  'workspace.edit.error.NOT_FOUND': 'A file that is not there is NOT_FOUND.',
  'workspace.edit.error.PATTERN_NOT_FOUND': 'A find that does not occur is PATTERN_NOT_FOUND.',
  'workspace.edit.error.EDIT_CONFLICT': 'A number of occurrences that is not the expected one is EDIT_CONFLICT.',
  'workspace.edit.error.FILE_TOO_LARGE': 'A file or a result over 1 MiB is FILE_TOO_LARGE.',
  'workspace.edit.error.VALIDATION_ERROR': 'A parameter that is missing, unknown or wrong is VALIDATION_ERROR.',
  'workspace.edit.security.no-patterns': 'Find and replace are explicit: no shell, no regular expression is executed.',
  'workspace.edit.security.ceiling': 'The size of the result is checked before anything is written.',
  'workspace.edit.manual.1': '{"file": "a.txt", "find": "old", "replace": "new"} succeeds with replacements: 1.',
  'workspace.edit.manual.2': '{"file": "a.txt", "find": "missing", "replace": "x"} is PATTERN_NOT_FOUND.',
  'workspace.edit.manual.3': 'expectedOccurrences 2 where there is 1 is EDIT_CONFLICT.',
  'workspace.edit.occurrences':
    'With replaceAll all occurrences are replaced, without it one; several without replaceAll are EDIT_CONFLICT.',
  'workspace.edit.expected':
    'expectedOccurrences that says the number of several lets the first be replaced; one that differs is always EDIT_CONFLICT.',
  'workspace.edit.conflict-details': 'An EDIT_CONFLICT carries the count and the lines.',
  'workspace.edit.literal': 'A replacement is literal: $&, $1 and \\n mean themselves.',
  'workspace.edit.other-bytes': 'Every byte that is not named stays: line ends, byte order mark, encoding and mode.',
  'workspace.edit.crlf':
    'A find with \\n also matches text that differs only in \\r\\n, and its replacement takes them.',
  'workspace.edit.match-help':
    'A failed match carries the reason, the nearest place and the exact text there; similar text is never edited.',
  'workspace.edit.failed-changes-nothing': 'An edit that fails leaves the file as it is.',
  'workspace.edit.not-text-file': 'A directory is NOT_FILE, and a binary file VALIDATION_ERROR, also for an edit.',
  'workspace.edit.none-lost': 'Edits of one file at the same time, from one server or two, are all kept.',

  // write_file
  'workspace.write.input': 'write_file takes file and content, and nothing else.',
  'workspace.write.output': 'write_file answers file and bytesWritten.',
  'workspace.write.error.INVALID_PATH': 'A file that may not be written by its path is INVALID_PATH.',
  'workspace.write.error.FILE_TOO_LARGE': 'Content over 1 MiB is FILE_TOO_LARGE.',
  'workspace.write.error.VALIDATION_ERROR': 'A parameter that is missing, unknown or wrong is VALIDATION_ERROR.',
  'workspace.write.security.bounded': 'A write is bounded to 1 MiB, counted in bytes.',
  'workspace.write.security.parents': 'Missing parent directories are created, under the workspace only.',
  'workspace.write.manual.1': '{"file": "src/index.html", "content": "<h1>Hi</h1>"} succeeds.',
  'workspace.write.manual.2': '{"file": "../x.txt", "content": "x"} is INVALID_PATH.',
  'workspace.write.directory': 'A directory at the path is NOT_FILE, as is a device, socket or pipe.',
  'workspace.write.parent-is-file': 'A file where a parent directory is needed is NOT_DIRECTORY.',
  'workspace.write.exact': 'The text is written as it was sent.',
  'workspace.write.replaces': 'A file is replaced as a whole, keeps its mode, and nothing is left beside it.',
  'workspace.write.failed-changes-nothing': 'A write that fails leaves no file and no directory behind.',

  // delete_file
  'workspace.delete.input': 'delete_file takes path and recursive (false by default), and nothing else.',
  'workspace.delete.output': 'delete_file answers path and deletedType, file or dir.',
  'workspace.delete.error.INVALID_PATH': 'A path that may not be is INVALID_PATH.',
  'workspace.delete.error.NOT_FOUND': 'A path at which nothing is is NOT_FOUND.',
  'workspace.delete.error.DIRECTORY_NOT_EMPTY':
    'A directory that is not empty, without recursive, is DIRECTORY_NOT_EMPTY.',
  'workspace.delete.error.VALIDATION_ERROR': 'A parameter that is missing, unknown or wrong is VALIDATION_ERROR.',
  'workspace.delete.security.restricted': 'Nothing outside the workspace can be deleted.',
  'workspace.delete.security.fails-safely': 'A directory that is not empty keeps everything unless recursive is set.',
  'workspace.delete.manual.1': '{"path": "tmp/a.txt"} succeeds with deletedType "file".',
  'workspace.delete.manual.2':
    '{"path": "tmp", "recursive": false} on a directory that is not empty is DIRECTORY_NOT_EMPTY.',
  'workspace.delete.manual.3': '{"path": "workspace/../secret"} is INVALID_PATH.',
  'workspace.delete.workspace-itself': 'The workspace itself is INVALID_PATH.',
  'workspace.delete.symlink': 'A symlink is deleted itself, never its target, and is a file.',
  'workspace.delete.recursive': 'An empty directory goes without recursive, a whole one with it.',

  // move_file
  'workspace.move.input': 'move_file takes from, to and overwrite (false by default), and nothing else.',
  'workspace.move.output': 'move_file answers from, to and overwritten.',
  'workspace.move.error.INVALID_PATH': 'A from or to that may not be is INVALID_PATH.',
  'workspace.move.error.NOT_FOUND': 'A from at which nothing is is NOT_FOUND.',
  'workspace.move.error.ALREADY_EXISTS': 'A to at which something is, without overwrite, is ALREADY_EXISTS.',
  'workspace.move.error.VALIDATION_ERROR': 'A parameter that is missing, unknown or wrong is VALIDATION_ERROR.',
  'workspace.move.security.both-ends': 'Both ends stay inside the workspace.',
  'workspace.move.security.overwrite-gate': 'Nothing is replaced without overwrite.',
  'workspace.move.manual.1': '{"from": "a.txt", "to": "archive/a.txt"} succeeds.',
  'workspace.move.manual.2':
    '{"from": "a.txt", "to": "b.txt", "overwrite": false} where b.txt is there is ALREADY_EXISTS.',
  'workspace.move.manual.3': '{"from": "/tmp/a", "to": "x"} is INVALID_PATH.',
  'workspace.move.parents': 'Missing parents of to are created.',
  'workspace.move.into-itself': 'A directory into itself is INVALID_PATH, and so is anything onto itself.',
  'workspace.move.workspace-itself': 'The workspace itself cannot be moved.',
  'workspace.move.overwrite-file': 'overwrite replaces a file, and overwritten says whether it did.',
  'workspace.move.overwrite-directory': 'overwrite replaces a directory by a directory only if it is empty.',
  'workspace.move.overwrite-kinds': 'A file never replaces a directory, nor a directory a file.',
  'workspace.move.symlink': 'A symlink is moved, and replaced, itself.',
  'workspace.move.one-winner': 'Two moves onto one name never both succeed without overwrite, in one server or two.',
  'workspace.move.failed-changes-nothing': 'A move that fails creates no directory and moves nothing.',

  // mkdir
  'workspace.mkdir.input': 'mkdir takes dir and recursive, and nothing else.',
  'workspace.mkdir.defaults': 'By default recursive is true.',
  'workspace.mkdir.output': 'mkdir answers dir and created.',
  'workspace.mkdir.error.INVALID_PATH': 'A dir that may not be is INVALID_PATH.',
  'workspace.mkdir.error.NOT_FOUND':
    'Without recursive, a parent that is not there is NOT_FOUND; a parent that is a file is so always.',
  'workspace.mkdir.error.VALIDATION_ERROR': 'A parameter that is missing, unknown or wrong is VALIDATION_ERROR.',
  'workspace.mkdir.error.ALREADY_EXISTS': 'A file at the path is ALREADY_EXISTS.',
  'workspace.mkdir.security.root': 'No directory outside the workspace can be created.',
  'workspace.mkdir.manual.1': '{"dir": "src/components", "recursive": true} succeeds.',
  'workspace.mkdir.manual.2': '{"dir": "../outside"} is INVALID_PATH.',
  'workspace.mkdir.there-already': 'created is false where the directory is there already.',
  'workspace.mkdir.failed-changes-nothing': 'A mkdir that fails leaves no directory behind.',

  // run_command
  'workspace.run.input':
    'run_command takes command (not empty), args (at most 64 of 400 characters), cwd, timeoutMs (100 to 60000) and maxOutputBytes (1024 to 262144).',
  'workspace.run.defaults': 'By default there are no args, cwd is `.`, timeoutMs is 15000 and maxOutputBytes is 65536.',
  'workspace.run.output':
    'run_command answers command, args, cwd, exitCode, signal, timedOut, stdout, stderr, stdoutTruncated and stderrTruncated.',
  'workspace.run.error.COMMAND_NOT_ALLOWED': 'A command that is not on the allowlist is COMMAND_NOT_ALLOWED.',
  'workspace.run.error.INVALID_PATH': 'A cwd that may not be is INVALID_PATH.',
  'workspace.run.error.VALIDATION_ERROR': 'A parameter that is missing, unknown or out of bounds is VALIDATION_ERROR.',
  'workspace.run.error.NOT_FOUND': 'A cwd that is not there is NOT_FOUND.',
  'workspace.run.error.NOT_DIRECTORY': 'A file as cwd is NOT_DIRECTORY.',
  'workspace.run.security.allowlist': 'Only node, npm, npx, python3, pytest and tsc may be run.',
  'workspace.run.security.no-shell': 'No shell is started; arguments arrive as they were sent.',
  'workspace.run.security.cwd': 'The working directory is always inside the workspace.',
  'workspace.run.security.timeout': 'The time-out is enforced: the process is ended.',
  'workspace.run.security.truncation': 'stdout and stderr are each cut at the cap.',
  'workspace.run.security.log': 'The log has the tool, the status and the error code, and no output of the command.',
  'workspace.run.manual.1': '{"command": "npm", "args": ["--version"]} succeeds with exitCode 0.',
  'workspace.run.manual.2': '{"command": "bash", "args": ["-lc", "echo hi"]} is COMMAND_NOT_ALLOWED.',
  'workspace.run.manual.3': '{"command": "npm", "args": ["run", "x"], "cwd": "../"} is INVALID_PATH.',
  'workspace.run.manual.4': 'A node that waits, with timeoutMs 200, succeeds with timedOut: true.',
  'workspace.run.allowlist': 'The allowlist is the exact name: no path, no other case, nothing around it.',
  'workspace.run.outside-workspace': 'A command is a program outside the workspace, wherever PATH leads.',
  'workspace.run.resolved-once':
    'A command is resolved once; a later change of the file system does not lead it elsewhere.',
  'workspace.run.not-installed': 'A command that is allowed but not installed outside the workspace says so.',
  'workspace.run.allow-command': '--allow-command NAME extends the allowlist.',
  'workspace.run.stdin': 'Stdin is empty.',
  'workspace.run.environment': 'The environment is a short allowlist: no token of the server reaches a command.',
  'workspace.run.tree-ends':
    'The whole process tree ends with the call: at its exit, its time-out, and with the server.',
  'workspace.run.cancel': 'A call that the client cancels is ended with its process tree.',
  'workspace.run.progress': 'A client that gave a progress token hears that the command is alive.',
  'workspace.run.many':
    'However many commands come at once, all are run; of those that keep the processors busy no more than three for two processors at a time.',
  'workspace.run.truncation-marked': 'Output past the cap is dropped, cut at a character, and marked.',
  'workspace.run.ok-anyway': 'A non-zero exit, a signal and a time-out are ok: true.',
  'workspace.protected.refused':
    'No file tool changes a name that makes other programs run something, present or absent, whatever its case.',
  'workspace.protected.reading': 'Protected names can be read and listed.',
  'workspace.protected.off': '--protect off lets the file tools change protected names.',
  'workspace.protected.memory': 'The memory files are written although their folder is protected.',
  'workspace.sandbox.confines': 'In the sandbox a command writes inside the workspace and nowhere else.',
  'workspace.sandbox.home':
    "In the sandbox a command sees nothing of the person's home and of the server's environment.",
  'workspace.sandbox.said': 'Without a sandbox, auto runs the command and says so in the result; off says nothing.',
};
