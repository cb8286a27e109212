/** The text as a fenced block of Markdown. The fence is longer than any inside, so that nothing ends the block early. */
export function fenced(text: string, language = ''): string {
  let length = 3;
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1);
  const fence = '`'.repeat(length);
  return `${fence}${language}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`;
}
