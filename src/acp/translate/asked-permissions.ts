/** The permissions that Codex asks for, one sentence each. */
import { fieldsOf, listOf, textOf, textsOf } from '../codex/protocol/json-fields';

export function askedPermissions(profile: unknown): string[] {
  const { network, fileSystem } = fieldsOf(profile);
  const { read, write, entries } = fieldsOf(fileSystem);
  return [
    ...(fieldsOf(network).enabled === true ? ['Network access.'] : []),
    ...textsOf(read).map((path) => `Read ${path}`),
    ...textsOf(write).map((path) => `Write ${path}`),
    ...listOf(entries).map(entrySentence),
  ];
}

function entrySentence(value: unknown): string {
  const { path, access } = fieldsOf(value);
  const { type, path: named, pattern, value: special } = fieldsOf(path);
  const place = type === 'path' ? textOf(named) : type === 'glob_pattern' ? textOf(pattern) : specialPlace(special);
  const verb = access === 'read' ? 'Read' : access === 'write' ? 'Write' : 'No access to';
  return `${verb} ${place}`;
}

function specialPlace(value: unknown): string {
  const { kind, path, subpath } = fieldsOf(value);
  const name = (textOf(path) || textOf(kind) || 'a place without a name').replaceAll('_', ' ');
  return textOf(subpath) === '' ? name : `${name}, ${textOf(subpath)}`;
}
