import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';
import { refused } from './toast.ts';

/** More than so many are asked about first. */
const many = 50;

interface Props<Step> {
  selected: ReadonlySet<string>;
  /** How many of what are ticked. */
  told: string;
  /** What is asked before many are changed. */
  question(step: Step): { title: string; words: string; action: string };
  run(step: Step, ids: readonly string[]): Promise<unknown>;
  onDone(): void;
  /** The menus; each says what was chosen. */
  children(start: (step: Step) => void): ReactNode;
}

/** What can be done to the records that are ticked. */
export function SelectionBar<Step>({ selected, told, question, run, onDone, children }: Props<Step>) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<{ step: Step } | null>(null);
  if (selected.size === 0) return null;
  const go = async (step: Step) => {
    await run(step, [...selected]);
    onDone();
  };
  const start = (step: Step) => {
    if (selected.size > many) setAsked({ step });
    else go(step).catch(refused);
  };
  const words = asked && question(asked.step);
  return (
    <div className="record-selection" role="region" aria-label={t`Selection`}>
      <Text fw={600}>{told}</Text>
      {children(start)}
      <Button variant="subtle" onClick={onDone}>
        <Trans>Select none</Trans>
      </Button>
      <Confirm
        title={words?.title ?? null}
        action={words?.action ?? ''}
        onClose={() => setAsked(null)}
        run={async () => asked && go(asked.step)}
      >
        {words?.words}
      </Confirm>
    </div>
  );
}

/** Sends ids in parts of `size`, one after another. @returns how many records were changed in all */
export async function inParts(
  ids: readonly string[],
  size: number,
  change: (part: string[]) => Promise<{ data: { affected: number } }>,
): Promise<number> {
  let affected = 0;
  for (let from = 0; from < ids.length; from += size)
    affected += (await change(ids.slice(from, from + size))).data.affected;
  return affected;
}
