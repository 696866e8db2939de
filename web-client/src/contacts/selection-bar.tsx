import { Trans, useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { Button, Menu, ScrollArea, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { bulkTagMaximum } from '../../../schema/words.ts';
import { Confirm } from '../app/confirm.tsx';
import { done } from '../app/done.ts';
import { currentMode } from '../app/mode.ts';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { TagName } from '../tags/tag-name.tsx';
import { type Tag, useAllTags } from '../tags/use-all-tags.ts';

interface Step {
  action: 'add' | 'remove';
  tag: Tag;
}

/** More than so many are asked about first. */
const many = 50;

interface Props {
  selected: ReadonlySet<string>;
  onDone(): void;
}

/** What can be done to the contacts that are ticked. */
export function SelectionBar({ selected, onDone }: Props) {
  const { t } = useLingui();
  const tags = useAllTags().filter(({ system }) => !system);
  const [asked, setAsked] = useState<Step | null>(null);
  const bulkTag = useMutation(trpc.contacts.bulkTag.mutationOptions());
  if (selected.size === 0) return null;

  const run = async ({ action, tag }: Step) => {
    const ids = [...selected];
    let affected = 0;
    for (let from = 0; from < ids.length; from += bulkTagMaximum) {
      const contact_ids = ids.slice(from, from + bulkTagMaximum);
      const { data } = await bulkTag.mutateAsync({ contact_ids, tag: tag.id, action });
      affected += data.affected;
    }
    await Promise.all([
      queryClient.invalidateQueries(trpc.contacts.pathFilter()),
      queryClient.invalidateQueries(trpc.tags.pathFilter()),
    ]);
    const [changed, of] = [number.format(affected), number.format(ids.length)];
    done(
      action === 'add'
        ? t`${changed} of ${of} contacts now have the tag ${tag.name}.`
        : t`${changed} of ${of} contacts no longer have the tag ${tag.name}.`,
    );
    onDone();
  };
  const start = (step: Step) => {
    if (selected.size > many) setAsked(step);
    else run(step).catch(refused);
  };
  return (
    <div className="record-selection" role="region" aria-label={t`Selection`}>
      <Text fw={600}>
        <Trans>{plural(selected.size, { one: '# contact', other: '# contacts' })} selected</Trans>
      </Text>
      <TagMenu label={t`Add a tag`} tags={tags} onChoose={(tag) => start({ action: 'add', tag })} />
      <TagMenu label={t`Take a tag off`} tags={tags} onChoose={(tag) => start({ action: 'remove', tag })} />
      <Button variant="subtle" onClick={onDone}>
        <Trans>Select none</Trans>
      </Button>
      <Confirm
        title={
          asked &&
          t`${asked.action === 'add' ? t`Tag` : t`Untag`} ${plural(selected.size, { one: '# contact', other: '# contacts' })} in ${currentMode()} mode?`
        }
        action={asked?.action === 'remove' ? t`Take the tag off` : t`Add the tag`}
        onClose={() => setAsked(null)}
        run={async () => asked && run(asked)}
      >
        <Trans>The tag is {asked?.tag.name}.</Trans>
      </Confirm>
    </div>
  );
}

interface TagMenuProps {
  label: string;
  tags: readonly Tag[];
  onChoose(tag: Tag): void;
}

function TagMenu({ label, tags, onChoose }: TagMenuProps) {
  return (
    <Menu position="top" withinPortal>
      <Menu.Target>
        <Button variant="default">{label}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tags.length === 0 && (
          <Menu.Label>
            <Trans>There are no tags yet.</Trans>
          </Menu.Label>
        )}
        <ScrollArea.Autosize mah="50vh">
          {tags.map((tag) => (
            <Menu.Item key={tag.id} onClick={() => onChoose(tag)}>
              <TagName tag={tag} />
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
