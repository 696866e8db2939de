import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Moment } from '../app/moment.tsx';
import { QueryState } from '../app/query-state.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';

type Entry = inferOutput<typeof trpc.contacts.activity>['data'][number];

/** What was done to a contact, and by whom. */
export function Activity({ contact }: { contact: string }) {
  const query = useQuery(trpc.contacts.activity.queryOptions({ contact }));
  return (
    <QueryState query={query}>
      {({ data }) => (
        <ul className="contact-log">
          {data.map((entry, index) => (
            <li key={`${entry.at} ${index}`}>
              <Stack gap={2}>
                <Text>{sentenceOf(entry)}</Text>
                <Text size="sm" c="dimmed" component="div">
                  {entry.actor ?? 'Parlour'}, <Moment at={entry.at} />
                </Text>
              </Stack>
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  );
}

function sentenceOf({ action, fields, tag }: Entry): string {
  const changed = fields.map((name) => inWords(name).toLowerCase()).join(', ');
  switch (action) {
    case 'created':
      return t`The contact was made.`;
    case 'tagged':
      return t`The tag ${tag ?? ''} was added.`;
    case 'untagged':
      return t`The tag ${tag ?? ''} was taken off.`;
    default:
      return changed === '' ? t`The contact was saved.` : t`Changed: ${changed}.`;
  }
}
