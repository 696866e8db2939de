import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useCan } from '../account/use-profile.ts';
import { QueryState } from '../app/query-state.tsx';
import { trpc } from '../app/trpc.ts';
import { Phone } from '../contacts/phone.tsx';
import { useContact } from './composer-notices.tsx';
import { refreshConversation } from './conversation-data.ts';
import { copy } from './entry-actions.ts';
import { useThreadContext } from './thread-context.ts';
import { contactName } from './words.ts';
import { displayNames } from '../language/formats.ts';

const EditContact = lazy(async () => ({
  default: (await import('../contacts/edit-contact.tsx')).EditContact,
}));

const countries = displayNames({ type: 'region' });

/** Who the customer is and how they are reached; what is wrong about it is changed here. */
export function ContactCard() {
  const { t } = useLingui();
  const { contact: known } = useThreadContext().conversation;
  const can = useCan();
  const contact = useContact(known.id);
  const [editing, setEditing] = useState(false);
  if (editing) return <Edit id={known.id} onClose={() => setEditing(false)} />;
  return (
    <>
      <Text fw={600} className="wrapped" dir="auto">
        {contactName(known)}
      </Text>
      {known.phone !== null && (
        <Line label={t`Phone`} value={known.phone}>
          <Phone number={known.phone} />
        </Line>
      )}
      {known.email !== null && (
        <Line label={t`E-mail`} value={known.email}>
          {known.email}
        </Line>
      )}
      {contact?.country != null && <Text size="sm">{countries.of(contact.country)}</Text>}
      {contact && (contact.blocked || !contact.subscribed) && (
        <Group gap={6} mt={4}>
          {contact.blocked && (
            <Badge color="red.9">
              <Trans>Blocked</Trans>
            </Badge>
          )}
          {!contact.subscribed && (
            <Badge variant="default">
              <Trans>No marketing</Trans>
            </Badge>
          )}
        </Group>
      )}
      {contact && (
        <Group gap="sm" mt={6}>
          {can('contacts.manage') && (
            <Button size="compact-sm" variant="default" onClick={() => setEditing(true)}>
              <Trans>Edit</Trans>
            </Button>
          )}
          <Anchor component={Link} to={`/contacts/${known.id}`} size="sm">
            <Trans>Open the contact</Trans>
          </Anchor>
        </Group>
      )}
    </>
  );
}

function Edit({ id, onClose }: { id: string; onClose(): void }) {
  const { conversation } = useThreadContext();
  const saved = () => {
    // The name stands in the conversation, too.
    refreshConversation(conversation.id);
    onClose();
  };
  const query = useQuery(trpc.contacts.record.queryOptions({ contact: id }, { staleTime: 0 }));
  return (
    <QueryState query={query} rows={4}>
      {({ data }) => (
        <Suspense fallback={null}>
          <EditContact contact={data} onClose={saved} />
          <Button mt="xs" fullWidth variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        </Suspense>
      )}
    </QueryState>
  );
}

function Line({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <Group gap={4} justify="space-between" wrap="nowrap">
      <Text size="sm" component="span" className="wrapped">
        {children}
      </Text>
      <ActionIcon
        variant="subtle"
        size={26}
        aria-label={t`Copy ${value}`}
        onClick={() => copy(value, t`${label} copied.`)}
      >
        <Copy size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
