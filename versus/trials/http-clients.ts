import { crossedAnswers, IN_FLIGHT } from '../http-pair';
import { makeFolder } from '../places';
import { failures, NO_HTTP, type Trial } from '../trial';

const ROW = 'two HTTP clients with the same request ids: answers crossed';

export const httpClients: Trial = {
  name: 'http-clients',
  isLight: true,
  what: `Two clients of one HTTP server, each with a session of its own where the server has sessions, read different files under the same request ids at the same time, ${IN_FLIGHT} in flight each. Counted: answers that belong to the other client or to another call.`,
  async run(server, scale) {
    if (!server.http) return { [ROW]: NO_HTTP };
    const calls = scale.count({ ours: 1_000, peers: 1_000, quick: 80 });
    const folder = makeFolder({ inMemory: false });
    const door = await server.http.start(folder.path);
    try {
      return { [ROW]: failures(await crossedAnswers(server, door, folder.path, calls), calls) };
    } finally {
      await door.stop();
      folder.remove();
    }
  },
};
