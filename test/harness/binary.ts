import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** What users run. The gate builds it before the tests. */
export const binary = join(repository, 'dist', 'tenon.cjs');
/** The Node.js that runs it; another one where a proof asks for it. */
export const nodeBinary = (): string => process.env.TENON_TEST_NODE ?? process.execPath;
