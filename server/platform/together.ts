import { databaseFault } from './database-errors.ts';

/**
 * Does something with all at once; where that fails with one after another, so that the one with which it can't be done
 * holds back no other. While the database does not answer nothing is tried again.
 * @throws Error what failed, after all were tried
 */
export async function together<T>(
  all: readonly T[],
  act: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  if (all.length === 0) return;
  try {
    await act(all);
  } catch (error) {
    if (all.length === 1 || databaseFault(error)?.kind === 'unavailable') throw error;
    const failed: unknown[] = [];
    for (const one of all) await act([one]).catch((reason: unknown) => failed.push(reason));
    if (failed.length > 0)
      throw new AggregateError(failed, `${failed.length} of ${all.length} failed.`, { cause: error });
  }
}
