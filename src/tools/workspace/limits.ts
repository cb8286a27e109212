/** The largest file that the workspace tools write or edit. */
export const MAX_FILE_BYTES = 1_048_576;
