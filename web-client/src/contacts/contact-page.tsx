import { Trans, useLingui } from '@lingui/react/macro';
import { Box, Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../account/use-profile.ts';
import { BackLink } from '../app/back-link.tsx';
import { Confirm } from '../app/confirm.tsx';
import { done } from '../app/done.ts';
import { Facts } from '../app/facts.tsx';
import { failureOf } from '../app/failure.ts';
import { currentMode } from '../app/mode.ts';
import { Moment } from '../app/moment.tsx';
import { PageNotFound } from '../app/page-failure.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { ContactTabs } from './contact-tabs.tsx';
import { ContactTags } from './contact-tags.tsx';
import { type ContactRecord, ContactStatus } from './contacts-page.tsx';
import { countryName } from './countries.ts';
import { EditContact } from './edit-contact.tsx';
import { PersonActions } from './person-actions.tsx';
import { Phone } from './phone.tsx';
import { contactRoute } from './routes.ts';
import { useContactNews } from './use-contact-news.ts';

const refresh = () => queryClient.invalidateQueries(trpc.contacts.pathFilter());

/** One contact, and all there is about them. */
export function ContactPage() {
  const { t } = useLingui();
  const { contact: id } = contactRoute.useParams();
  const query = useQuery(trpc.contacts.record.queryOptions({ contact: id }));
  const contact = query.data?.data;
  useContactNews(useCan()('inbox.access'));
  if (query.error !== null && failureOf(query.error).code === 'not_found') return <PageNotFound />;
  return (
    <Box>
      <BackLink to="/contacts">{t`Contacts`}</BackLink>
      <Page
        title={contact ? (contact.name ?? contact.phone ?? contact.email ?? t`No name`) : t`Contact`}
        actions={contact && <Actions contact={contact} />}
      >
        <QueryState query={query}>{({ data }) => <Profile contact={data} />}</QueryState>
        {contact && <ContactTabs contact={contact} />}
      </Page>
    </Box>
  );
}

function Profile({ contact }: { contact: ContactRecord }) {
  const { t } = useLingui();
  const can = useCan();
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          { label: t`Phone`, value: contact.phone && <Phone number={contact.phone} /> },
          { label: t`E-mail`, value: contact.email },
          { label: t`Country`, value: contact.country && countryName(contact.country) },
          { label: t`Marketing`, value: <ContactStatus contact={contact} /> },
          { label: t`Source`, value: contact.source },
          { label: t`Created`, value: <Moment at={contact.created_at} /> },
          { label: t`Changed`, value: <Moment at={contact.updated_at} /> },
        ]}
      />
      {can('inbox.access') && <ContactTags contact={contact} />}
    </Stack>
  );
}

type Asked = 'block' | 'delete' | null;

function Actions({ contact }: { contact: ContactRecord }) {
  const { t } = useLingui();
  const manages = useCan()('contacts.manage');
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const [asked, setAsked] = useState<Asked>(null);
  const update = useMutation(trpc.contacts.update.mutationOptions());
  const remove = useMutation(trpc.contacts.delete.mutationOptions());
  const name = contact.name ?? contact.phone ?? contact.email ?? t`the contact`;
  const block = async (blocked: boolean) => {
    await update.mutateAsync({ contact: contact.id, blocked });
    await refresh();
    done(blocked ? t`${name} is blocked.` : t`${name} is no longer blocked.`);
  };
  if (!manages) return null;
  return (
    <Group gap="xs">
      <Button onClick={() => setEditing(true)}>
        <Trans>Edit</Trans>
      </Button>
      {contact.blocked ? (
        <Button variant="default" loading={update.isPending} onClick={() => void block(false).catch(refused)}>
          <Trans>Unblock</Trans>
        </Button>
      ) : (
        <Button variant="default" onClick={() => setAsked('block')}>
          <Trans>Block…</Trans>
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('delete')}>
        <Trans>Delete…</Trans>
      </Button>
      <PersonActions contact={contact.id} name={name} />
      <Modal opened={editing} onClose={() => setEditing(false)} title={t`Edit ${name}`}>
        <EditContact contact={contact} onClose={() => setEditing(false)} />
      </Modal>
      <Confirm
        title={asked === 'block' ? t`Block ${name}?` : null}
        action={t`Block`}
        onClose={() => setAsked(null)}
        run={() => block(true)}
      >
        <Trans>
          Nothing is sent to them any more, and what waits to be sent is withdrawn. You can unblock them
          later.
        </Trans>
      </Confirm>
      <Confirm
        title={asked === 'delete' ? t`Delete ${name} in ${currentMode()} mode?` : null}
        action={t`Delete`}
        onClose={() => setAsked(null)}
        run={async () => {
          await remove.mutateAsync({ contact: contact.id });
          done(t`${name} is deleted.`);
          await navigate({ to: '/contacts' });
          await refresh();
        }}
      >
        <Trans>
          Conversations and orders stay. What identifies the person is erased after 30 days; it can’t be
          undone.
        </Trans>
      </Confirm>
    </Group>
  );
}
