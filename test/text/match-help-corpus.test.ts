import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainMismatch } from '../../src/text/match-help/explain-mismatch.js';
import { loadFailedEdits, scoreAll } from '../corpus/failed-edits/score.js';

const edits = loadFailedEdits(join(process.cwd(), 'test/corpus/failed-edits'));
const scores = scoreAll(edits, explainMismatch);

describe('the failed edits of the corpus', () => {
  it('are at least 130, each with its own name', () => {
    expect(new Set(edits.map(({ id }) => id)).size).toBe(edits.length);
    expect(edits.length).toBeGreaterThanOrEqual(130);
  });

  it.each(edits.map((edit) => [`${edit.family}/${edit.id}`, edit] as const))(
    '%s really fails',
    (_, { content, old }) => {
      expect(content.includes(old)).toBe(false);
    },
  );

  it('are fixed by the answer alone, at least 95 %', () => {
    const open = scores.filter(({ fixed }) => !fixed).map(({ family, id }) => `${family}/${id}`);
    expect(open.length, open.join(', ')).toBeLessThanOrEqual(scores.length * 0.05);
  });

  it('are never answered with a wrong place', () => {
    expect(scores.filter(({ wrong }) => wrong).map(({ family, id }) => `${family}/${id}`)).toEqual([]);
  });

  it('get the right reason, at least 95 %', () => {
    expect(scores.filter(({ reasonRight }) => reasonRight).length).toBeGreaterThanOrEqual(scores.length * 0.95);
  });

  it('get answers of at most 600 bytes on average', () => {
    const bytes = scores.reduce((sum, score) => sum + score.bytes, 0);
    expect(bytes / scores.length).toBeLessThanOrEqual(600);
  });
});
