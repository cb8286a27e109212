import type { Server } from '../server';
import { desktopCommander } from './desktop-commander';
import { filesystemMcp } from './filesystem-mcp';
import { serverFilesystem } from './server-filesystem';
import { tenon } from './tenon';

/** Ours first. */
export const servers: readonly Server[] = [tenon, serverFilesystem, desktopCommander, filesystemMcp];
