import { Trans, useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { bulkStatusMaximum, productStatuses } from '../../../schema/words.ts';
import { done } from '../app/done.ts';
import { currentMode } from '../app/mode.ts';
import { inParts, SelectionBar } from '../app/selection-bar.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { inWords, number } from '../app/words.ts';

type Status = (typeof productStatuses)[number];

/** The status of the products that are ticked. */
export function ProductSelection({ selected, onDone }: { selected: ReadonlySet<string>; onDone(): void }) {
  const { t } = useLingui();
  const change = useMutation(trpc.products.setStatus.mutationOptions());
  const run = async (status: Status, ids: readonly string[]) => {
    const affected = await inParts(ids, bulkStatusMaximum, (product_ids) =>
      change.mutateAsync({ product_ids, status }),
    );
    await queryClient.invalidateQueries(trpc.products.pathFilter());
    done(
      t`${number.format(affected)} of ${plural(ids.length, { one: '# product', other: '# products' })} changed to ${inWords(status)}.`,
    );
  };
  return (
    <SelectionBar<Status>
      selected={selected}
      told={t`${plural(selected.size, { one: '# product', other: '# products' })} selected`}
      question={(status) => ({
        title: t`Change ${plural(selected.size, { one: '# product', other: '# products' })} to ${inWords(status)} in ${currentMode()} mode?`,
        words: t`Only active products can be ordered.`,
        action: t`Change them`,
      })}
      run={run}
      onDone={onDone}
    >
      {(start) => (
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
      )}
    </SelectionBar>
  );
}
