import { describe, expect, it } from 'vitest';
import { together } from '../../server/platform/together.ts';

describe('together', () => {
  it('does all at once, and each alone where that fails', async () => {
    const done: number[][] = [];
    const act = async (some: readonly number[]) => {
      if (some.includes(2)) throw new Error('two');
      done.push([...some]);
    };
    await together([1, 3], act);
    await expect(together([1, 2, 3], act)).rejects.toThrow('1 of 3 failed.');
    await expect(together([2], act)).rejects.toThrow('two');
    await together([], act);
    expect(done).toEqual([[1, 3], [1], [3]]);
  });

  it('tries nothing again while the database does not answer', async () => {
    let calls = 0;
    const act = async () => {
      calls++;
      throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    };
    await expect(together([1, 2, 3], act)).rejects.toThrow('gone');
    expect(calls).toBe(1);
  });
});
