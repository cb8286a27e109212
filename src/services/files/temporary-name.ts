/** The names of the files that are being written: nobody else is shown them, and what is left of them is removed. */

/** The last twelve digits of a UUID are random, and cheap: Node draws them in advance. */
export const ID_CHARACTERS = 12;
const TEMPORARY = /^\.tenon-[0-9a-f]{12}\.tmp$/;

/** Of an id, its last characters: those of a UUID are random. */
export function temporaryName(id: string): string {
  return `.tenon-${id.slice(-ID_CHARACTERS)}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name);
}
