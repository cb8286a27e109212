/** The words of a command line as a POSIX shell would split it, without expanding anything; undefined if it is torn. */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let rest = line.trimStart();
  while (rest !== '') {
    const parts = WORD.exec(rest)?.[0] ?? '';
    if (parts === '' || /^\S/.test(rest.slice(parts.length))) return undefined;
    words.push(parts.replace(PART, unquote));
    rest = rest.slice(parts.length).trimStart();
  }
  return words;
}

const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|[^\s'"\\]+/g;
const WORD = /^(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\]+)+/;

function unquote(part: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? part;
}
