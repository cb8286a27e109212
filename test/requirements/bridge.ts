/** `tenon acp`: an editor, the Codex CLI, and our tools between them. */
export const bridgeRequirements: Readonly<Record<string, string>> = {
  // The agent, and the Codex that it drives
  'bridge.agent': 'tenon acp is an ACP v1 agent over stdio; every message that it sends is valid by the schema.',
  'bridge.codex.one': 'One codex app-server child serves all sessions, and is started when it is first needed.',
  'bridge.codex.path': 'Codex is found on the PATH.',
  'bridge.codex.named': 'CODEX_PATH names the Codex that is used, before any other.',
  'bridge.codex.package': 'Codex is found as the installed package @openai/codex.',
  'bridge.codex.missing':
    'Without a Codex the editor is told so, with the command that installs it; a CODEX_PATH that leads nowhere is named.',
  'bridge.codex.login': 'A Codex without a login is told as "authentication required", with the command.',
  'bridge.codex.environment': 'Codex is started with RUST_BACKTRACE=0, and without the settings that are only for us.',

  // Two ways to our tools
  'bridge.tools.dynamic': 'As dynamic tools, Codex is given every tool with its schema, and calls it by a request.',
  'bridge.tools.mcp':
    'As an MCP server, Codex is given an address on loopback and a bearer token of the session; nobody gets in without it.',
  'bridge.tools.same': 'Both ways lead to the same tools, with the same answers and the same events.',
  'bridge.tools.probed':
    '--codex-tools auto gives dynamic tools where Codex knows them, else the MCP server; dynamic and mcp choose.',
  'bridge.tools.never-both': 'A thread has the tools by one way only, also when it is taken up with another setting.',
  'bridge.tools.patience': 'A call may last as long as a person needs to decide.',

  // The editor before the disk
  'bridge.editor.tools': 'The four editor tools read and write the buffers of the editor.',
  'bridge.editor.workspace': 'The workspace tools and the repo tools read and write texts there as well.',
  'bridge.editor.capabilities': 'What the client says it cannot do is not asked of it, and done on disk instead.',
  'bridge.editor.fallback': 'What the editor does not know is read from disk; what it denies is not.',
  'bridge.editor.via': '_meta.via says whether a text came from, or went to, the editor or the disk.',
  'bridge.editor.anew': 'An edit is applied anew to what the person typed meanwhile, where it still fits.',
  'bridge.editor.refused': 'An edit that no longer fits is refused, and what was typed stays.',
  'bridge.editor.stale':
    'After a command changed a file, a buffer that still shows the old text is noticed: the text on disk is read, with a warning in _meta.',
  'bridge.editor.differs':
    'Where a command changed the file and the person typed, the buffer is read, with a warning, as long as the two differ.',

  // What the editor is shown
  'bridge.events.pending':
    'A call is told as pending with kind, title, locations, rawInput (long contents cut) and the diff that it would make.',
  'bridge.events.preview': 'Working out that diff changes nothing, neither on disk nor in the editor.',
  'bridge.events.running': 'A call that runs is told as in_progress.',
  'bridge.events.end': 'Its end is told as completed or failed, with rawOutput.',
  'bridge.events.joined':
    'Codex’s notice of a call and the call itself come in either order; the first opens it, the other joins it.',
  'bridge.events.interrupted': 'When a turn is interrupted, open calls are closed as failed, before the prompt ends.',
  'bridge.events.form': '--acp-events seed tells calls in the form that the tool contracts print.',
  'bridge.events.commands': 'Commands of Codex are shown with their output.',
  'bridge.events.patches': 'Patches of Codex are shown with their diffs.',
  'bridge.events.plans': 'Plans and thoughts of Codex are shown as such.',
  'bridge.events.messages': 'Messages of Codex are shown as they are written.',
  'bridge.events.usage': 'How full the context is, is told.',
  'bridge.events.searches': 'Searches on the web are shown.',
  'bridge.events.failed-turn': 'A turn that fails is an error with the reason.',

  // Who is asked
  'bridge.permission.diff': 'A question about a tool shows the diff or the command line, before anything has happened.',
  'bridge.permission.once': 'Allow holds for this once.',
  'bridge.permission.session': 'Allow for this session holds for the tool, and of commands for the program.',
  'bridge.permission.reject': 'Reject changes nothing, and Codex is told that the user declined.',
  'bridge.permission.commands': 'Codex’s question about a command is put with the command; each answer reaches it.',
  'bridge.permission.patches': 'Codex’s question about a patch is put with its diffs; each answer reaches it.',
  'bridge.permission.elicitation': 'Codex’s question about a tool of another server is put with its arguments.',
  'bridge.permission.memory': 'write_memory_entry asks in every mode, each time.',
  'bridge.permission.always-answered': 'No request of Codex stays without an answer, known or not, in a turn or not.',

  // Modes and options
  'bridge.mode.chosen': '--mode sets the mode of new sessions; without it they begin as agent.',
  'bridge.mode.switched': 'The editor switches the mode, and the next turn has it.',
  'bridge.mode.read-only': 'read-only: a read-only sandbox for Codex, and every change by our tools asks.',
  'bridge.mode.agent':
    'agent: Codex writes in the folders of the session; our tools ask for commands without a sandbox only.',
  'bridge.mode.full-access': 'full-access: no sandbox and no question.',
  'bridge.mode.editor-only':
    'editor-only: Codex has no environment, in every turn, and a read-only sandbox behind that; what no editor can do asks.',
  'bridge.mode.editor-only-left': 'After editor-only, another mode gives the environment back.',
  'bridge.mode.editor-only-old': 'A Codex that does not know environments still has the read-only sandbox.',
  'bridge.options.model': 'Model and reasoning effort are config options; what is chosen holds from the next turn.',

  // Sessions
  'bridge.session.new': 'A new session is a new Codex thread, and has its id.',
  'bridge.session.roots': 'The folders of the session are the roots: of Codex, and of our tools.',
  'bridge.session.load': 'A session is loaded after a restart, with all that was said in it before.',
  'bridge.session.resume': 'A session is resumed after a restart, without telling it again.',
  'bridge.session.list': 'Sessions are listed, newest first, by folder where one is asked for.',
  'bridge.session.close': 'A closed session is gone from the agent; its thread stays.',
  'bridge.session.delete': 'A deleted session is gone for good.',
  'bridge.session.servers': 'MCP servers of the client are handed on, each under a name of its own.',
  'bridge.session.apart': 'Sessions work side by side; each hears of its own calls only.',

  // Prompts
  'bridge.command.listed': 'The slash commands are told when a session begins.',
  'bridge.command.status': '/status shows folder, mode, model, tools and context.',
  'bridge.command.tools': '/tools shows the tools.',
  'bridge.command.compact': '/compact has Codex summarise the conversation.',
  'bridge.command.review': '/review has Codex review the changes, or what one names.',
  'bridge.command.mcp': '/mcp shows the MCP servers of the session.',
  'bridge.command.unknown': 'An unknown command is answered with those that there are; a path is no command.',
  'bridge.prompt.images': 'Images in a prompt reach Codex.',
  'bridge.prompt.resources': 'Embedded resources and links in a prompt reach Codex.',

  // The end
  'bridge.cancel': 'A cancelled prompt ends as cancelled, and what ran for it is ended.',
  'bridge.cancel.question': 'A question that is open when the prompt is cancelled is taken back, and counts as no.',
  'bridge.cancel.silent': 'It ends also where Codex does not react; the next prompt has another Codex.',
  'bridge.lost.dead': 'A Codex that died is replaced, its thread resumed, and the person is told.',
  'bridge.lost.silent': 'A Codex that stops answering is replaced; one that only thinks for long is not.',
  'bridge.lost.idle': 'A Codex that died between prompts is replaced for the next one.',
  'bridge.lost.for-good': 'A Codex that cannot be started again is told, and tried again with the next prompt.',
  'bridge.end.stdin':
    'The end of stdin ends everything with code 0: the agent, Codex, and commands; also a Codex that never greeted.',
  'bridge.end.quiet': 'Prompts, texts, and the token are never logged, at any level.',
};
