/** The doors, each with what it serves. `compose/` puts the house together. */
import type { Transport } from '@modelcontextprotocol/server';
import type { Doors } from './cli/doors';
import { printHttpBanner } from './cli/http-banner';
import { listenProblem, tokenFor, untilSignalled } from './cli/http-start';
import type { Settings } from './cli/settings';
import { refuseMissingFolders } from './compose/folders';
import { lazyEngine } from './compose/lazy-engine';
import { watchForRemains } from './compose/remains';
import { loadSdk, mcpSdk, serverFactory, version, wordsOf } from './compose/served';
import type { Engine } from './engine/dispatch';
import { openLane } from './mcp/lane/lane';
import { recordedAnswers } from './mcp/lane/recorded';
import { LineStdio } from './mcp/line-stdio';
import { createLongAnswers } from './mcp/long-answers';
import { createFloodWatch } from './services/flood';
import { createLog, type Log } from './services/log';
import { runAtOnce, type Steps } from './text/steps';
import { ownTurn } from './text/yield-to-loop';

export const doors: Doors = {
  version,
  openEngine: (settings) => openEngine(settings, createLog({ level: 'error', file: settings.logFile })),
  showTools: (words, options) => engineFile().showTools(words, options),
  async serveStdio(settings) {
    const log = createLog({ level: settings.logLevel, file: settings.logFile });
    const engine = openEngine(settings, log);
    const longAnswers = createLongAnswers();
    const wire = new LineStdio(process.stdin, process.stdout, longAnswers);
    const onerror = (error: Error) => log.warn(error.message);
    const words = wordsOf(settings);
    const serveSdk = function* (transport: Transport): Steps<void> {
      yield* loadSdk();
      void mcpSdk().serveStdio(serverFactory(engine, settings, words, longAnswers), { transport, onerror });
      yield;
    };
    if (settings.sdkOnly) runAtOnce(serveSdk(wire));
    else openLane({ ...words, wire, engine, toolErrors: settings.toolErrors, serveSdk, onerror });
    const watchFlood = createFloodWatch();
    process.stdin.on('data', (chunk: Buffer) => watchFlood(chunk.length));
    await Promise.race([wire.ended, untilSignalled()]);
    // Closes the connection after a signal too: what is running is cancelled, and the process can end.
    process.stdin.destroy();
    return 0;
  },
  async serveHttp(settings, address) {
    const token = tokenFor(settings, address);
    const log = createLog({ level: settings.logLevel, file: settings.logFile });
    const engine = openEngine(settings, log);
    const onerror = (error: Error) => log.warn(error.message);
    const words = wordsOf(settings);
    const longAnswers = createLongAnswers();
    const factory = serverFactory(engine, settings, words, longAnswers);
    const { openHttp, createHttpLane } = mcpSdk();
    const { stamp } = recordedAnswers(words);
    const lane = settings.sdkOnly ? undefined : createHttpLane({ engine, toolErrors: settings.toolErrors, stamp });
    const door = await openHttp({ ...address, factory, token, onerror, lane, longAnswers }).catch((error: unknown) => {
      throw listenProblem(error, address);
    });
    // Before the banner: whoever reads it may send a signal at once.
    const signalled = untilSignalled();
    const served = { version, host: address.host, port: door.port, token };
    printHttpBanner({ ...served, toolCount: words.tools.length }, settings);
    warmUp(engine)
      .then(() => door.rehearse())
      .catch(onerror);
    await signalled;
    await door.close();
    return 0;
  },
  serveAcp(settings) {
    const { serveAcp } = require('./compose/acp') as typeof import('./compose/acp');
    return serveAcp(settings, createLog({ level: settings.logLevel, file: settings.logFile }));
  },
};

/** What the first request needs, a part in each turn of the loop, while nobody asks yet: it takes 25 ms less then. */
async function warmUp(engine: Engine): Promise<void> {
  for (const load of [() => Headers, () => Request, () => Response, () => engine.registry]) {
    await ownTurn();
    load();
  }
}

/** Made with the first call, when a client has what it needs to make one, or to clean up after a killed server. */
function openEngine(settings: Settings, log: Log): Engine {
  refuseMissingFolders(settings);
  const engine = lazyEngine(() => engineFile().openEngine(settings, log));
  watchForRemains(settings.roots, () => engine.registry);
  return engine;
}

function engineFile() {
  return require('./compose/engine') as typeof import('./compose/engine');
}
