export const everyToolRequirements: Readonly<Record<string, string>> = {
  // Roots
  'every.root-default': 'The one root is the current directory, unless another is given',
  'every.root-flag': '--root sets the root',
  'every.roots': '--root may be repeated: the editor tools see all roots, the others the first',
  'every.root-made-anew': 'A root that was removed and made anew is served again',
  'every.nothing-outside': 'Nothing outside the roots is read or changed by a file tool, whatever the input',
  'every.nothing-outside-race': 'Nor whatever another process does at the same moment',

  // Input
  'every.validated-first': 'Input is validated before anything happens',
  'every.strict-input': 'A field that the schema does not name is an error where additionalProperties is false',
  'every.input-too-long': 'A text of many megabytes where none can be meant is refused, with the name of the parameter',
  'every.many-at-once': 'However many small calls come together, others have their turn in between',
  'every.input-names-parameter': 'Bad input is answered with the name of the parameter and what was expected',

  // Answers
  'every.json-in-text': 'Every tool answers with JSON in content[0].text',
  'every.structured': 'All but the bulk readers publish an output schema and answer the same JSON as structuredContent',
  'every.schema-allows-failure': 'The output schema allows the failure form too',
  'every.bulk-once': 'The three bulk readers have no output schema, and send their text once',
  'every.failure-marked': 'A failed call is an isError result, its error both in the text and in structuredContent',
  'every.examples-true': 'Each example of each contract is true',

  // The list
  'every.three-toolsets': 'All three toolsets are served at once by default: fifteen tools',
  'every.toolsets': '--toolsets chooses',
  'every.read-only': '--read-only serves only the tools that change nothing',
  'every.title': 'Every tool carries a title and a description',
  'every.annotations': 'Every tool carries all four annotations, set truthfully',
  'every.published-schemas': 'The input schema of each tool is the published one, to the letter',
  'every.clean-schemas': 'No schema carries $schema, or bounds that only mean "safe integer"',
  'every.list-size': 'The whole list is smaller than 12 KB',
  'every.list-stable': 'The entry of each tool changes only on purpose, and is the same through every door',
  'every.instructions': 'The instructions tell an agent in a few lines which toolset to use for what',
  'every.readme-one-toolset': 'The README recommends one toolset per client',

  // Files
  'every.failed-changes-nothing': 'A failed call changes nothing',
  'every.synced': 'A call that answered success is on disk: the file and its directory are synced',
  'every.memory': 'A server that is not called gives the memory of large texts back',
  'every.long-texts': 'An edit of a text of many megabytes says and does what the same edit of a short one does',
  'every.long-files': 'A file of any size can be edited in one place, without being held in memory',
  'every.durability-fast': 'With --durability fast nothing is synced but memory entries and files of more than 16 MB',
  'every.large-files-gone':
    'Large files are deleted, replaced and moved onto as small ones are, freed by another thread',
  'every.slow-disk': 'A call that waits for a slow disk holds up no other call',
  'every.none-lost': 'Changes to the same file, from one process or from two, come one after the other; none is lost',
  'every.only-named-bytes':
    'An edit changes only the bytes that it names: line endings, byte order mark, encoding stay',
  'every.mode-and-owner': 'An edit keeps file mode and owner',
  'every.replacement-literal': 'A replacement text is literal: $&, $1 and \\n mean themselves',
  'every.temporary-files-hidden': 'Files named as our temporary files are not listed',
  'every.temporary-files-gone': 'Our temporary files are not left behind',

  // The log
  'every.one-log-line': 'One structured log line per call: time, client, tool, status, error code, duration',
  'every.log-no-contents': 'No arguments, no contents, no command output, no secrets in the log',
  'every.log-file': 'The log goes to stderr or to a file',
  'every.log-never-in-the-way':
    'A log that nobody reads, or that cannot be written, changes no answer and stops nothing',
  'every.stdout-only-protocol': 'Stdout carries nothing but the protocol',

  // The stdio door
  'every.stdio.parse-error': 'A line that is not JSON is answered with -32700 and id null; the connection goes on',
  'every.stdio.invalid-request':
    'A batch, or what is no JSON-RPC message, is answered with -32600; the connection goes on',
  'every.stdio.large-message': 'A message of 17 MiB is accepted',
  'every.stdio.oversized-message': 'A message over 64 MiB is answered with -32600 and its id; the connection goes on',
  'every.many-values':
    'A message of more than 10,000 values is answered with -32600, and on stdio with its id; the connection goes on',
  'every.short-failures': 'However long a parameter is, the answer to a failure is not',
  'every.stdio.chunks': 'A message may come in any pieces, and several in one piece',
  'every.stdio.unknown-method': 'An unknown method is -32601',
  'every.stdio.unknown-tool': 'An unknown tool is -32602, and the message names the tools that there are',
  'every.stdio.versions': 'Every revision from 2024-10-07 to 2026-07-28 is spoken',
  'every.stdio.before-initialize': 'A request before the handshake is served or refused, never left without an answer',
  'every.stdio.ends-with-client': 'The process ends with exit code 0 when stdin ends or stdout is closed',
  'every.stdio.last-answers':
    'A client that ends its input right after its requests still gets the answers, those that take up to a second',
  'every.stdio.idle': 'A server that nobody calls uses no processor time, however busy it was before',
  'every.stdio.no-orphans': 'No command outlives the server: not the end of stdin, not SIGTERM',
  'every.stdio.cancellation': 'notifications/cancelled ends a running call, and its command with it',
  'every.stdio.concurrent': 'A slow call holds up no other',

  // The command line
  'every.cli.help': '--help, help and a terminal without arguments explain the command',
  'every.cli.version': '--version prints the version',
  'every.cli.default-serves': 'Alone and without a terminal it serves stdio',
  'every.cli.usage-error': 'A mistake in the command line is one line on stderr that says what to do, and exit code 2',
  'every.cli.call': 'tenon call prints the answer; exit code 0 for success, 1 for a failure, 2 for wrong use',
  'every.cli.call-stdin': '- reads the arguments from stdin',
  'every.cli.call-approval': 'tenon call asks the person at the terminal, and nobody without one',
  'every.cli.tools': 'tenon tools shows the tools, tenon tools NAME a contract, --json either as data',
  'every.cli.options': 'Every option is a flag, an environment variable and a config key',
  'every.cli.precedence': 'A flag wins over the environment, the environment over the config file',
  'every.cli.config-checked':
    'An unknown key or a value of the wrong type in the config file is an error that names it',
  'every.cli.config-not-from-root': 'A config file inside a root is not read by itself',
};
