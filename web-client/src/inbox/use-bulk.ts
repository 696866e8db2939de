import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { refused, told } from '../app/toast.ts';
import { undoable } from '../keyboard/undo.tsx';
import { type BulkInput, type BulkOutcome, bulkUndo, runBulk } from './bulk.ts';
import type { Selection } from './use-selection.ts';

/** With more than so many somebody is asked first. */
const manyAtOnce = 50;

export type BulkQuestion = 'assign' | 'tag' | 'untag' | 'mute';

/** What is done to the selected conversations together. */
export interface Bulk {
  running: { sent: number; total: number } | null;
  question: BulkQuestion | null;
  /** Waits for a yes. */
  unconfirmed: BulkInput | null;
  ask(question: BulkQuestion | null): void;
  /** Does it, after a question when there are many. */
  start(input: BulkInput): void;
  confirm(): void;
  dismiss(): void;
  stop(): void;
}

export function useBulk(selection: Selection): Bulk {
  const [running, setRunning] = useState<Bulk['running']>(null);
  const [question, ask] = useState<BulkQuestion | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<BulkInput | null>(null);
  const controller = useRef<AbortController | null>(null);

  const run = async (input: BulkInput) => {
    if (controller.current) return;
    const { signal } = (controller.current = new AbortController());
    const ids = [...selection.ids];
    const back = bulkUndo(input, selection.rows);
    const show = (sent: number) => setRunning({ sent, total: ids.length });
    show(0);
    try {
      const outcome = await runBulk(ids, input, signal, show);
      selection.clear();
      const message = inWords(outcome, ids.length);
      if (back === null || back.ids.length === 0) told(message);
      else undoable(message, () => runBulk(back.ids, back.input, new AbortController().signal, () => {}));
    } catch (error) {
      refused(error);
    } finally {
      controller.current = null;
      setRunning(null);
    }
  };
  return {
    running,
    question,
    unconfirmed,
    ask,
    start: (input) => (selection.ids.size > manyAtOnce ? setUnconfirmed(input) : void run(input)),
    confirm: () => {
      if (unconfirmed) void run(unconfirmed);
    },
    dismiss: () => setUnconfirmed(null),
    stop: () => controller.current?.abort(),
  };
}

function inWords({ affected, unknown, sent }: BulkOutcome, total: number): string {
  const parts = [t`${affected} changed`];
  if (unknown.length > 0) parts.push(t`${unknown.length} not found`);
  if (sent < total) parts.push(t`stopped before the last ${total - sent}`);
  return `${parts.join(', ')}.`;
}
