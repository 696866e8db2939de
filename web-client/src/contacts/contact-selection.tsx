import { Trans, useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { Button, Menu, ScrollArea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { bulkTagMaximum } from '../../../schema/words.ts';
import { done } from '../app/done.ts';
import { currentMode } from '../app/mode.ts';
import { inParts, SelectionBar } from '../app/selection-bar.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { TagName } from '../tags/tag-name.tsx';
import { type Tag, useAllTags } from '../tags/use-all-tags.ts';

interface Step {
  action: 'add' | 'remove';
  tag: Tag;
}

interface Props {
  selected: ReadonlySet<string>;
  onDone(): void;
}

/** Tags of the contacts that are ticked. */
export function ContactSelection({ selected, onDone }: Props) {
  const { t } = useLingui();
  const tags = useAllTags().filter(({ system }) => !system);
  const bulkTag = useMutation(trpc.contacts.bulkTag.mutationOptions());
  const run = async ({ action, tag }: Step, ids: readonly string[]) => {
    const affected = await inParts(ids, bulkTagMaximum, (contact_ids) =>
      bulkTag.mutateAsync({ contact_ids, tag: tag.id, action }),
    );
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
  };
  const count = plural(selected.size, { one: '# contact', other: '# contacts' });
  return (
    <SelectionBar<Step>
      selected={selected}
      told={t`${plural(selected.size, { one: '# contact', other: '# contacts' })} selected`}
      question={({ action, tag }) => ({
        title:
          action === 'add'
            ? t`Tag ${count} in ${currentMode()} mode?`
            : t`Untag ${count} in ${currentMode()} mode?`,
        words: t`The tag is ${tag.name}.`,
        action: action === 'add' ? t`Add the tag` : t`Take the tag off`,
      })}
      run={run}
      onDone={onDone}
    >
      {(start) => (
        <>
          <TagMenu label={t`Add a tag`} tags={tags} onChoose={(tag) => start({ action: 'add', tag })} />
          <TagMenu
            label={t`Take a tag off`}
            tags={tags}
            onChoose={(tag) => start({ action: 'remove', tag })}
          />
        </>
      )}
    </SelectionBar>
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
