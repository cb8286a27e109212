import { mkdirSync } from 'node:fs';
import { Fault } from '../../contract/fault';
import { kindOf, lookAt } from './disk';
import { errnoOf } from './errno';
import type { Pin } from './pin';
import { syncDirectoryAside } from './sync';

/** Creates the directory at the pin; one that is there already is as good. */
export async function makeDirectory(pin: Pin): Promise<{ created: boolean }> {
  if (pin.name === '') return { created: false };
  try {
    mkdirSync(pin.at());
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    const there = lookAt(pin);
    if (there && !there.isDirectory()) throw new Fault('already_exists', { path: pin.shown, found: kindOf(there) });
    return { created: false };
  }
  await syncDirectoryAside(pin.directory);
  return { created: true };
}
