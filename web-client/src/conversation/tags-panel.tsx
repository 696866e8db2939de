import { Trans, useLingui } from '@lingui/react/macro';
import { CloseButton, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../app/trpc.ts';
import { attachTag, detachTag } from './actions.ts';
import { useThreadContext } from './thread-context.ts';

/** The conversation's tags, and those that can be added. */
export function TagsPanel() {
  const { t } = useLingui();
  const { id, tags } = useThreadContext().conversation;
  const all = useQuery(trpc.tags.list.queryOptions({ limit: 100 }));
  const others = (all.data?.data ?? []).filter((tag) => !tags.some((one) => one.id === tag.id));
  return (
    <>
      {tags.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>No tags yet.</Trans>
        </Text>
      )}
      <div className="thread-chips">
        {tags.map((tag) => (
          <span key={tag.id} className="thread-chip">
            <span className="panel-dot" style={{ background: tag.color }} aria-hidden />
            <span>{tag.name}</span>
            <CloseButton
              size="sm"
              aria-label={t`Take off the tag ${tag.name}`}
              onClick={() => void detachTag(id, tag.id)}
            />
          </span>
        ))}
      </div>
      {others.length > 0 && (
        <NativeSelect
          mt="xs"
          size="sm"
          aria-label={t`Add a tag`}
          value=""
          data={[
            { value: '', label: t`Add a tag…` },
            ...others.map(({ id: value, name: label }) => ({ value, label })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            if (value !== '') void attachTag(id, value);
          }}
        />
      )}
    </>
  );
}
