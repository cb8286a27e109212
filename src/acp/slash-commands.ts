/** The commands that a person can type instead of a prompt. */
import type { AvailableCommand, ContentBlock, StopReason } from '@agentclientprotocol/sdk';

export const COMMANDS: readonly AvailableCommand[] = [
  { name: 'status', description: 'Show the folder, mode, model, tools and how full the context is' },
  { name: 'tools', description: 'Show the tools that go through the editor' },
  { name: 'compact', description: 'Summarise the conversation to free space in the context' },
  {
    name: 'review',
    description: 'Review the changes that are not committed yet',
    input: { hint: 'what to look at, if not all of them' },
  },
  { name: 'mcp', description: 'Show the MCP servers of this session' },
];

/** What each command does; the texts are shown to the person. */
export interface CommandActions {
  status(): Promise<string>;
  tools(): string;
  mcp(): Promise<string>;
  compact(): Promise<StopReason>;
  review(instructions: string): Promise<StopReason>;
  say(text: string): void;
}

/** Undefined when the prompt is no command. */
export async function runCommand(
  blocks: readonly ContentBlock[],
  actions: CommandActions,
): Promise<StopReason | undefined> {
  const [first] = blocks;
  // `/usr/bin is full` is a sentence; `/usr` is a command that does not exist.
  const [, name, rest = ''] = (first?.type === 'text' && /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(first.text.trim())) || [];
  if (name === undefined) return undefined;
  switch (name) {
    case 'status':
      return tell(await actions.status());
    case 'tools':
      return tell(actions.tools());
    case 'mcp':
      return tell(await actions.mcp());
    case 'compact':
      return actions.compact();
    case 'review':
      return actions.review(rest.trim());
    default:
      return tell(`There is no command /${name}. There are:\n\n${listCommands()}`);
  }

  function tell(text: string): StopReason {
    actions.say(text);
    return 'end_turn';
  }
}

function listCommands(): string {
  return COMMANDS.map(({ name, description }) => `- \`/${name}\`: ${description}`).join('\n');
}
