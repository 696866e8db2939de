import { Trans, useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { Button, Menu, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { bulkStatusMaximum, productStatuses } from '../../../schema/words.ts';
import { Confirm } from '../app/confirm.tsx';
import { done } from '../app/done.ts';
import { currentMode } from '../app/mode.ts';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { inWords, number } from '../app/words.ts';

type Status = (typeof productStatuses)[number];

/** More than so many are asked about first. */
const many = 50;

/** What can be done to the products that are ticked. */
export function StatusBar({ selected, onDone }: { selected: ReadonlySet<string>; onDone(): void }) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<Status | null>(null);
  const change = useMutation(trpc.products.setStatus.mutationOptions());
  if (selected.size === 0) return null;

  const run = async (status: Status) => {
    const ids = [...selected];
    let affected = 0;
    for (let from = 0; from < ids.length; from += bulkStatusMaximum) {
      const product_ids = ids.slice(from, from + bulkStatusMaximum);
      const { data } = await change.mutateAsync({ product_ids, status });
      affected += data.affected;
    }
    await queryClient.invalidateQueries(trpc.products.pathFilter());
    done(
      t`${number.format(affected)} of ${plural(ids.length, { one: '# product', other: '# products' })} changed to ${inWords(status)}.`,
    );
    onDone();
  };
  const start = (status: Status) => {
    if (selected.size > many) setAsked(status);
    else run(status).catch(refused);
  };
  return (
    <div className="record-selection" role="region" aria-label={t`Selection`}>
      <Text fw={600}>
        <Trans>{plural(selected.size, { one: '# product', other: '# products' })} selected</Trans>
      </Text>
      <Menu position="top" withinPortal>
        <Menu.Target>
          <Button variant="default" loading={change.isPending}>
            <Trans>Change the status</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {productStatuses.map((status) => (
            <Menu.Item key={status} onClick={() => start(status)}>
              {inWords(status)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button variant="subtle" onClick={onDone}>
        <Trans>Select none</Trans>
      </Button>
      <Confirm
        title={
          asked &&
          t`Change ${plural(selected.size, { one: '# product', other: '# products' })} to ${inWords(asked)} in ${currentMode()} mode?`
        }
        action={t`Change them`}
        onClose={() => setAsked(null)}
        run={async () => asked && run(asked)}
      >
        <Trans>Only active products can be ordered.</Trans>
      </Confirm>
    </div>
  );
}
