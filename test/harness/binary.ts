import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** What users run. The gate builds it before the tests. */
export const binary = join(repository, 'dist', 'tenon.cjs');
