/**
 * The engine with its tools and services, and what shows the tools. A file of its own in the build: what opens a
 * conversation needs none of it, and waits for it neither.
 */
import type { Settings } from '../cli/settings';
import type { Shapes } from '../contract/shape';
import { createEngine, type Engine } from '../engine/dispatch';
import { createRegistry } from '../engine/registry';
import { createApprover } from '../services/approvals';
import { systemClock } from '../services/clock';
import type { Log } from '../services/log';
import shapes from '../tools/shapes.generated.json';
import { toolsets } from '../tools/toolsets';
import { openHouse } from './house';
import { tidyWhenIdle } from './tidy-memory';
import { compileEarly } from './v8-settings';
import { limitYoungSpace } from './young-space';

export { showTools } from '../cli/show-tools';

export function openEngine(settings: Settings, log: Log): Engine {
  const { jail, servicesFor } = openHouse(settings, log);
  jail.settle();
  return createEngine({ ...engineParts(settings, log), servicesFor });
}

export function engineParts(settings: Settings, log: Log) {
  const chosen = toolsets.filter(({ name }) => settings.toolsets.includes(name));
  return {
    registry: createRegistry(chosen, { readOnly: settings.readOnly }),
    shapes: shapes as Shapes,
    approver: createApprover(settings.approve),
    observers: [log.observer, tidyWhenIdle(), limitYoungSpace(), compileEarly()],
    clock: systemClock,
  };
}
