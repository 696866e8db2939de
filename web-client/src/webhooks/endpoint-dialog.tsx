import { Trans, useLingui } from '@lingui/react/macro';
import { Checkbox, Button, Modal, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { catalogueQuery, familyOf } from '../events/catalogue.ts';
import type { Endpoint } from './webhooks-page.tsx';

/** Makes or changes an endpoint. @param onSecret is given the secret of a new one, which is shown once */
export function EndpointDialog({
  endpoint,
  onSecret,
  onClose,
}: {
  endpoint: Endpoint | null;
  onSecret(secret: string): void;
  onClose(): void;
}) {
  const { t } = useLingui();
  const [all, setAll] = useState(endpoint === null || endpoint.events.includes('*'));
  const [chosen, setChosen] = useState<string[]>(endpoint?.events.filter((type) => type !== '*') ?? []);
  const create = useMutation(trpc.webhooks.create.mutationOptions({ gcTime: 0 }));
  const update = useMutation(trpc.webhooks.update.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ url = '', description = '' }) => {
      // Only names that the catalogue has can be ticked.
      const events = (all ? ['*'] : chosen) as ['*'];
      const fields = { url, events, description: description === '' ? null : description };
      if (endpoint) await update.mutateAsync({ endpoint: endpoint.id, ...fields });
      else {
        const { data } = await create.mutateAsync(fields);
        create.reset();
        onSecret(data.secret);
      }
      await queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
      onClose();
    },
    ['url', 'description', 'events'],
  );
  return (
    <Modal opened onClose={onClose} size="lg" title={endpoint ? t`Edit the endpoint` : t`New endpoint`}>
      <form onSubmit={onSubmit}>
        <Stack gap="md">
          {failure && <FailureAlert failure={failure} />}
          <TextInput
            name="url"
            type="url"
            label="URL"
            description={t`https, on port 443 or 8443, at a public address.`}
            defaultValue={endpoint?.url}
            required
            withAsterisk={false}
            autoComplete="off"
            data-autofocus
            error={errorOf('url')}
          />
          <Textarea
            name="description"
            label={t`Description`}
            defaultValue={endpoint?.description ?? ''}
            maxLength={500}
            error={errorOf('description')}
          />
          <Switch
            label={t`All events, also those that are added later`}
            checked={all}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
          {!all && <Events chosen={chosen} choose={setChosen} error={errorOf('events')} />}
          <Button type="submit" loading={pending} disabled={!all && chosen.length === 0}>
            <Trans>Save</Trans>
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

function Events({
  chosen,
  choose,
  error,
}: {
  chosen: string[];
  choose(events: string[]): void;
  error: string | undefined;
}) {
  const { t } = useLingui();
  const { data } = useQuery(catalogueQuery);
  const [q, setQ] = useState('');
  const types = (data?.events ?? [])
    .map(({ type }) => type)
    .filter((type) => type !== 'webhook.ping' && type.includes(q.trim().toLowerCase()));
  const families = [...new Set(types.map(familyOf))];
  return (
    <Checkbox.Group label={t`Events`} value={chosen} onChange={choose} error={error}>
      <Stack gap={4} mt="xs">
        <TextInput
          type="search"
          aria-label={t`Search the events`}
          placeholder={t`Search the events`}
          value={q}
          onChange={(event) => setQ(event.currentTarget.value)}
        />
        {families.length === 0 && (
          <Text size="sm">
            <Trans>No event is called like that.</Trans>
          </Text>
        )}
        {families.map((family) => {
          const own = types.filter((type) => familyOf(type) === family);
          const held = own.filter((type) => chosen.includes(type)).length;
          return (
            <details key={family} open={q !== '' || undefined}>
              <summary className="webhook-summary">
                <Trans>
                  {family} ({held} of {own.length})
                </Trans>
              </summary>
              <div className="webhook-family" role="group" aria-label={family}>
                {own.map((type) => (
                  <Checkbox key={type} value={type} label={type} />
                ))}
              </div>
            </details>
          );
        })}
      </Stack>
    </Checkbox.Group>
  );
}
