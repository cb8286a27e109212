import { afterAll, beforeAll, describe } from 'vitest';
import { type ClientOptions, openClient, type TestClient, WAYS, type Way } from './client';
import { makeWorkspace, type Workspace } from './workspace';

export interface Stage {
  /** Both are there from the first test on. */
  readonly client: TestClient;
  readonly workspace: Workspace;
}

/** Runs the same tests through every door and protocol era: one server and one workspace for each. */
export function eachWay(
  name: string,
  options: Omit<ClientOptions, 'root'>,
  tests: (stage: Stage, way: Way) => void,
  ways: readonly Way[] = WAYS,
): void {
  for (const way of ways) {
    describe(`${name} (${way.door}, ${way.era})`, () => {
      const stage = {} as { -readonly [K in keyof Stage]: Stage[K] };
      beforeAll(async () => {
        stage.workspace = makeWorkspace();
        stage.client = await openClient(way, { ...options, root: stage.workspace.root });
      });
      afterAll(async () => {
        await stage.client?.close();
        stage.workspace?.remove();
      });
      tests(stage, way);
    });
  }
}
