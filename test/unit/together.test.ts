import { describe, expect, it } from 'vitest';
import { Gate } from '../../server/platform/gate.ts';
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

describe('a gate', () => {
  it('lets so many in at a time, in the order in which they came, also after one that fails', async () => {
    const gate = new Gate(2);
    const inside: number[] = [];
    const leave: ((error?: Error) => void)[] = [];
    const enter = (n: number) =>
      gate.run(
        () =>
          new Promise<void>((resolve, reject) => {
            inside.push(n);
            leave[n] = (error) => (error ? reject(error) : resolve());
          }),
      );
    const [first, ...others] = [0, 1, 2, 3].map(enter);
    expect(inside).toEqual([0, 1]);
    leave[0]?.(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    expect(inside).toEqual([0, 1, 2]);
    leave[1]?.();
    leave[2]?.();
    await Promise.all(others.slice(0, 2));
    expect(inside).toEqual([0, 1, 2, 3]);
    leave[3]?.();
    await Promise.all(others);
  });
});
