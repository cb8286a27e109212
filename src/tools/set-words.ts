/** What an agent is told of each toolset, in the order in which they are served. */
export const setWords = {
  editor: 'absolute paths; to read and change text, in windows of lines and with diffs.',
  workspace: 'paths relative to the workspace; to look around, change, move and delete files and run programs.',
  repo: 'paths relative to the repository; to read without secrets, and to append to the memory files, which asks the user first.',
} as const;
