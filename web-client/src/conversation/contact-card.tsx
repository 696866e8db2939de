import { ActionIcon, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useCan } from '../account/use-profile.ts';
import { refused, told } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import { useThreadContext } from './thread-context.ts';
import { contactName } from './words.ts';

const countries = new Intl.DisplayNames(undefined, { type: 'region' });

/** Who the customer is and how they are reached. */
export function ContactCard() {
  const { contact: known } = useThreadContext().conversation;
  const can = useCan();
  const { data } = useQuery(
    trpc.contacts.show.queryOptions({ contact: known.id }, { enabled: can('contacts.view') }),
  );
  const contact = data?.data;
  return (
    <>
      <Text fw={600} className="wrapped" dir="auto">
        {contactName(known)}
      </Text>
      {known.phone !== null && <Line label="Phone" value={known.phone} />}
      {known.email !== null && <Line label="E-mail" value={known.email} />}
      {contact?.country != null && <Text size="sm">{countries.of(contact.country)}</Text>}
      {contact && (contact.blocked || !contact.subscribed) && (
        <Group gap={6} mt={4}>
          {contact.blocked && <Badge color="red.9">Blocked</Badge>}
          {!contact.subscribed && <Badge variant="default">No marketing</Badge>}
        </Group>
      )}
    </>
  );
}

function Line({ label, value }: { label: string; value: string }) {
  const copy = () => {
    navigator.clipboard.writeText(value).then(() => told(`${label} copied.`), refused);
  };
  return (
    <Group gap={4} justify="space-between" wrap="nowrap">
      <Text size="sm" className="wrapped">
        {value}
      </Text>
      <ActionIcon variant="subtle" size={26} aria-label={`Copy ${value}`} onClick={copy}>
        <Copy size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
