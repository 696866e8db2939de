import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useProfile } from '../account/use-profile.ts';
import { Page, Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { type Catalogue, type CataloguedEvent, catalogueQuery, familyOf } from './catalogue.ts';
import { bodyOf, exampleOf } from './example.ts';
import { SendLatest, type Subscribable } from './send-latest.tsx';
import { eventsRoute } from './routes.ts';
import './events.css';

/** What happens, by name: when, and the body that tells of it. */
export function EventsPage() {
  const { t } = useLingui();
  const { q = '' } = eventsRoute.useSearch();
  const navigate = useNavigate({ from: eventsRoute.fullPath });
  const catalogue = useQuery(catalogueQuery);
  return (
    <Page
      title={t`Event catalogue`}
      description={t`Webhooks, realtime channels, subscriptions and the event log tell the same events with the same body.`}
    >
      <TextInput
        type="search"
        label={t`Search`}
        value={q}
        maw="24rem"
        onChange={(event) => {
          const text = event.currentTarget.value;
          void navigate({
            search: (before) => ({ ...before, q: text === '' ? undefined : text }),
            replace: true,
          });
        }}
      />
      <QueryState query={catalogue} rows={10}>
        {(found) => <Families catalogue={found} q={q.toLowerCase()} />}
      </QueryState>
    </Page>
  );
}

function Families({ catalogue, q }: { catalogue: Catalogue; q: string }) {
  const fitting = catalogue.events.filter(({ type, summary }) =>
    `${type} ${summary}`.toLowerCase().includes(q),
  );
  if (fitting.length === 0)
    return (
      <Text>
        <Trans>No event fits this search.</Trans>
      </Text>
    );
  const families = [...new Set(fitting.map(({ type }) => familyOf(type)))];
  return (
    <Stack gap="xl">
      <Text size="sm" c="dimmed" role="status">
        {plural(fitting.length, { one: '# event', other: '# events' })}
      </Text>
      {families.map((family) => (
        <Section key={family} title={family}>
          <div className="events">
            {fitting
              .filter(({ type }) => familyOf(type) === family)
              .map((event) => (
                <Entry key={event.type} event={event} schemas={catalogue.schemas} />
              ))}
          </div>
        </Section>
      ))}
    </Stack>
  );
}

function Entry({ event, schemas }: { event: CataloguedEvent; schemas: Catalogue['schemas'] }) {
  const { t } = useLingui();
  const [opened, setOpened] = useState(false);
  const { type, summary, record } = event;
  const manages = ['owner', 'admin'].includes(useProfile().role.key ?? '');
  const schema = record === null ? undefined : schemas[record];
  return (
    <details onToggle={(toggled) => setOpened(toggled.currentTarget.open)}>
      <summary>
        <Text span ff="monospace" fw={600}>
          {type}
        </Text>
        <Text span size="sm" c="dimmed">
          {summary}
        </Text>
      </summary>
      {opened && (
        <Stack gap="sm" mt="sm">
          <Text size="sm">
            {record === null
              ? t`Carries the id of what it is about.`
              : t`Carries the ${record} as it is after the change.`}
          </Text>
          {manages && type !== 'webhook.ping' && (
            <Group>
              <SendLatest type={type as Subscribable} />
            </Group>
          )}
          <Example title={t`Example of ${type}`}>
            {bodyOf(type, schema ? exampleOf(schema, schemas) : { id: '01JQZ7K3M9V5T2XH8C4B6N0DFK' })}
          </Example>
          {schema && (
            <details>
              <summary>
                <Trans>JSON schema of {record}</Trans>
              </summary>
              <Example title={t`JSON schema of ${record}`}>{schema}</Example>
            </details>
          )}
        </Stack>
      )}
    </details>
  );
}

function Example({ title, children }: { title: string; children: object }) {
  return (
    <Code block className="wrapped events-code" tabIndex={0} role="region" aria-label={title}>
      {JSON.stringify(children, null, 2)}
    </Code>
  );
}
