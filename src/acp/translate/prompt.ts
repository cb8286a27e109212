/** What a person wrote in the editor, as Codex takes it: each block becomes one input. */
import { basename } from 'node:path';
import type { ContentBlock, EmbeddedResource, ImageContent, ResourceLink } from '@agentclientprotocol/sdk';
import { fenced } from '../../text/code-fence';
import type { UserInput } from '../codex/protocol/items';
import { filePathOf } from './file-uri';

/** The inputs, or the reason why one of the blocks cannot be sent. */
export type PromptInput = { readonly input: UserInput[] } | { readonly problem: string };

export function toUserInput(blocks: readonly ContentBlock[]): PromptInput {
  const inputs = blocks.map(inputOf);
  const problem = inputs.find((input) => typeof input === 'string');
  return problem === undefined ? { input: inputs.filter((input) => typeof input !== 'string') } : { problem };
}

/** A text instead of an input is the problem. */
function inputOf(block: ContentBlock): UserInput | string {
  switch (block.type) {
    case 'text':
      return textInput(block.text);
    case 'image':
      return imageInput(block);
    case 'resource_link':
      return textInput(mentionOf(block));
    case 'resource':
      return resourceInput(block);
    default:
      return `A prompt cannot carry ${block.type}.`;
  }
}

function textInput(text: string): UserInput {
  return { type: 'text', text, text_elements: [] };
}

/** The picture itself where it was sent along; else the address at which it can be had. */
function imageInput({ data, mimeType, uri }: ImageContent): UserInput | string {
  if (data !== '') return pictureInput(data, mimeType);
  if (uri && /^https?:/i.test(uri)) return { type: 'image', url: uri };
  return 'An image needs its data, or an http address.';
}

function pictureInput(data: string, mimeType: string): UserInput | string {
  if (!/^image\/[\w.+-]+$/.test(mimeType)) return `${mimeType} is no type of image.`;
  return { type: 'image', url: `data:${mimeType};base64,${data}` };
}

/** A file is named by its path, for the model to read; a part of one (`#L10`) and a name of its own are kept. */
function mentionOf({ uri, name }: ResourceLink): string {
  const place = filePathOf(uri) ?? uri;
  const own = name !== '' && name !== basename(place.replace(/#.*$/, ''));
  return own && name !== place ? `${name} (${place})` : place;
}

function resourceInput({ resource }: EmbeddedResource): UserInput | string {
  const place = filePathOf(resource.uri) ?? resource.uri;
  if ('text' in resource) return textInput(`${place}:\n${fenced(resource.text)}\n`);
  const mimeType = resource.mimeType ?? '';
  if (mimeType.startsWith('image/')) return pictureInput(resource.blob, mimeType);
  return `${place} is neither text nor an image.`;
}
