#!/usr/bin/env node
// A Codex CLI without a model: `fake-codex app-server` plays recordings of the real one (test/acp/traffic).
// The first word of a prompt names the scenario; `call TOOL {…}` lines call any tool with any arguments.
import { serve } from './fake-codex/app-server.mjs';

const [command] = process.argv.slice(2).filter((word) => !word.startsWith('-') || word === '--version');
if (command === '--version') process.stdout.write('codex-cli 0.166.0\n');
else if (command === 'app-server') serve();
else {
  process.stderr.write('fake-codex: only app-server and --version\n');
  process.exitCode = 2;
}
