import { t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';
import { type Failure, failureOf } from './failure.ts';
import { type CsvResource, importFile, type ImportResult } from './import-file.ts';
import { told } from './toast.ts';
import { number } from './words.ts';

export type ImportState =
  | { step: 'running'; dryRun: boolean; done: number; of: number }
  | { step: 'stopped' }
  | { step: 'failed'; failure: Failure }
  | { step: 'done'; result: ImportResult; rejected: string };

const states = new Map<CsvResource, ImportState>();
const running = new Map<CsvResource, AbortController>();
const watched = new Set<CsvResource>();
const listeners = new Set<() => void>();

function show(resource: CsvResource, state: ImportState | null): void {
  if (state) states.set(resource, state);
  else states.delete(resource);
  for (const listener of listeners) listener();
}

interface Options {
  dryRun: boolean;
  columns: readonly (string | null)[];
  /** Called at the end of what may have changed records. */
  onEnd(): void;
}

/** Begins an import that goes on while one looks at other pages of this tab. */
export async function startImport(
  resource: CsvResource,
  file: File,
  { dryRun, columns, onEnd }: Options,
): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  running.set(resource, controller);
  const report = (done: number, of: number) => show(resource, { step: 'running', dryRun, done, of });
  report(0, 0);
  try {
    const outcome = await importFile(resource, file, { dryRun, columns, signal, onProgress: report });
    show(resource, { step: 'done', ...outcome });
    if (!watched.has(resource)) told(t`The import of ${resource} is done: ${countsOf(outcome.result)}`);
  } catch (error) {
    show(resource, signal.aborted ? { step: 'stopped' } : { step: 'failed', failure: failureOf(error) });
  }
  running.delete(resource);
  if (!dryRun) onEnd();
}

/** Ends an import between two batches. */
export function stopImport(resource: CsvResource): void {
  running.get(resource)?.abort();
}

/** The dialog of an import is open, or closed: a try ends with it, an import goes on, an outcome has been seen. */
export function watchImport(resource: CsvResource, open: boolean): void {
  if (open) {
    watched.add(resource);
    return;
  }
  watched.delete(resource);
  const state = states.get(resource);
  if (state?.step === 'running' && state.dryRun) stopImport(resource);
  else if (state && state.step !== 'running') show(resource, null);
}

/** Forgets what became of an import. */
export function forgetImport(resource: CsvResource): void {
  show(resource, null);
}

/** How the import of a resource stands; null when there is none. */
export function useImport(resource: CsvResource): ImportState | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => states.get(resource) ?? null,
  );
}

/** Of an import, in words. */
export function countsOf({ created, updated, skipped, failed }: ImportResult): string {
  return t`${number.format(created)} new, ${number.format(updated)} changed, ${number.format(skipped)} there already, ${number.format(failed)} refused.`;
}
