/** What our contracts say about a disk that fails, by toolset. */
import type { Answer, ToolCall } from './server';

export type DiskFault = 'full' | 'read-only' | 'broken';

const CODES = {
  full: { editor: -32005, workspace: 'INTERNAL_ERROR', repo: 'DISK_FULL', says: /^Disk full: / },
  'read-only': {
    editor: -32002,
    workspace: 'INTERNAL_ERROR',
    repo: 'PERMISSION_DENIED',
    says: /^Read-only file ?system: /,
  },
  broken: { editor: -32603, workspace: 'INTERNAL_ERROR', repo: 'INTERNAL_ERROR', says: /^The system refused |is busy/ },
} as const;

/** What is wrong with a refusal of ours, or undefined where it is as documented. */
export function wrongCode({ tool }: ToolCall, { text }: Answer, fault: DiskFault): string | undefined {
  const { error } = JSON.parse(text) as { error?: { code: number | string; message: string } };
  const expected = CODES[fault];
  if (error?.code !== expected[toolsetOf(tool)]) return `${tool} said ${error?.code}`;
  return expected.says.test(error.message) ? undefined : `${tool} said “${error.message.slice(0, 60)}”`;
}

function toolsetOf(tool: string): 'editor' | 'workspace' | 'repo' {
  if (tool.endsWith('_text_file')) return 'editor';
  return tool === 'write_memory_entry' ? 'repo' : 'workspace';
}
