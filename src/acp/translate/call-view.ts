/** What an editor is shown of an item that is a call; undefined for messages, thoughts, plans and what is not known. */
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import type { ItemStatus, ThreadItem } from '../codex/protocol/items';
import { agentCallView, agentView } from './agent-views';
import { commandView } from './command-view';
import { fileChangeView } from './file-change-view';
import { dynamicCallView, mcpCallView } from './foreign-call-view';
import { compactionView, hookView, imageMadeView, imageSeenView, sleepView, webSearchView } from './other-views';

export interface CallView {
  readonly title: string;
  readonly kind: ToolKind;
  /** Undefined when the item does not say: then it is over when Codex says that it is completed. */
  readonly status?: ItemStatus;
  readonly content?: ToolCallContent[];
  readonly locations?: ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

export function callView(item: ThreadItem, cwd: string): CallView | undefined {
  switch (item.type) {
    case 'commandExecution':
      return commandView(item, cwd);
    case 'fileChange':
      return fileChangeView(item, cwd);
    case 'mcpToolCall':
      return mcpCallView(item);
    case 'dynamicToolCall':
      return dynamicCallView(item);
    case 'webSearch':
      return webSearchView(item);
    case 'imageView':
      return imageSeenView(item, cwd);
    case 'imageGeneration':
      return imageMadeView(item, cwd);
    case 'collabAgentToolCall':
      return agentCallView(item);
    case 'subAgentActivity':
      return agentView(item);
    case 'sleep':
      return sleepView(item);
    case 'hookPrompt':
      return hookView(item);
    case 'contextCompaction':
      return compactionView();
    default:
      return undefined;
  }
}
