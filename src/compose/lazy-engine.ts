import type { Engine } from '../engine/dispatch';

/** An engine that is made when it is first asked for something. */
export function lazyEngine(make: () => Engine): Engine {
  let made: Engine | undefined;
  const engine = () => {
    made ??= make();
    return made;
  };
  return {
    get registry() {
      return engine().registry;
    },
    call: (call) => engine().call(call),
    preview: (call) => engine().preview(call),
  };
}
