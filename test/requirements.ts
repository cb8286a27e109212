/**
 * Every promise, as data with an id. A test cites the ids that it proves in its title, in square brackets; the gate
 * fails on a promise that no test cites, and on a citation of a promise that is not listed.
 */
import { bridgeRequirements } from './requirements/bridge';
import { editorRequirements } from './requirements/editor';
import { editorFirstRequirements } from './requirements/editor-first';
import { everyToolRequirements } from './requirements/every-tool';
import { repoRequirements } from './requirements/repo';
import { workspaceRequirements } from './requirements/workspace';

export const requirements: Readonly<Record<string, string>> = {
  ...everyToolRequirements,
  ...editorRequirements,
  ...editorFirstRequirements,
  ...workspaceRequirements,
  ...repoRequirements,
  ...bridgeRequirements,
};
