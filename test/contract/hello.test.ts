import { expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';

eachWay(
  'hello',
  {},
  (stage) => {
    it('greets by name, with the time in UTC to the second [repo.hello.example, repo.hello.timestamp]', async () => {
      const answer = (await stage.client.call('hello', { name: 'Learner' })) as Record<string, string>;
      expect(answer).toEqual({
        message: 'Hello, Learner!',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
    });
  },
  [
    { door: 'stdio', era: 'legacy' },
    { door: 'stdio', era: 'modern' },
  ],
);
