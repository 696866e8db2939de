import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCan } from '../account/use-profile.ts';
import { failureOf } from '../app/failure.ts';
import { Moment } from '../app/moment.tsx';
import { currentMode } from '../app/mode.ts';
import { money } from '../app/money.ts';
import { trpc } from '../app/trpc.ts';
import { useThreadContext } from './thread-context.ts';
import { channelName } from './words.ts';

const shown = 5;

/** What else was talked about with the contact. */
export function Previous() {
  const { t } = useLingui();
  const { id, contact } = useThreadContext().conversation;
  const query = useQuery(trpc.conversations.list.queryOptions({ contact: contact.id, limit: shown + 1 }));
  const others = query.data?.data.filter((one) => one.id !== id);
  return (
    <Lines
      query={query}
      empty={t`This is their only conversation.`}
      lines={others?.map((one) => ({
        key: one.id,
        first: (
          <Link
            className="panel-link"
            to="/conversations/$conversationId"
            params={{ conversationId: one.id }}
          >
            {channelName(one.channel)}, {one.status}
          </Link>
        ),
        second: one.last_message?.snippet ?? '',
        at: one.last_message_at,
      }))}
    />
  );
}

/** The contact's orders, newest first. */
export function Orders() {
  const { t } = useLingui();
  const { id: conversation, contact } = useThreadContext().conversation;
  const manages = useCan()('commerce.manage');
  const query = useQuery(trpc.orders.list.queryOptions({ contact: contact.id, limit: shown }));
  return (
    <Lines
      query={query}
      empty={t`No orders.`}
      add={
        manages && (
          <Link className="panel-link" to="/orders/new" search={{ contact: contact.id, conversation }}>
            <Trans>New order</Trans>
          </Link>
        )
      }
      lines={query.data?.data.map(({ id, number, total, currency, status, placed_at }) => ({
        key: id,
        first: (
          <Link className="panel-link" to="/orders/$order" params={{ order: id }}>
            {`#${number} · ${money(total, currency)}`}
          </Link>
        ),
        second: status.replaceAll('_', ' '),
        at: placed_at,
      }))}
    />
  );
}

/** What is booked with the contact from now on. */
export function Bookings() {
  const { t } = useLingui();
  const { contact } = useThreadContext().conversation;
  const test = currentMode() === 'test';
  const manages = useCan()('calendar.manage');
  const [from] = useState(() => new Date().toISOString());
  const query = useQuery(trpc.bookings.list.queryOptions({ from }, { enabled: !test }));
  if (test)
    return (
      <Text size="sm" c="dimmed">
        <Trans>Bookings have no sandbox</Trans>
      </Text>
    );
  return (
    <Lines
      query={query}
      empty={t`Nothing is booked.`}
      add={
        manages && (
          <Link className="panel-link" to="/bookings" search={{ open: 'new', contact: contact.id }}>
            <Trans>New booking</Trans>
          </Link>
        )
      }
      lines={query.data?.data
        .filter((booking) => booking.contact?.id === contact.id)
        .slice(0, shown)
        .map(({ id, title, agent, starts_at }) => ({
          key: id,
          first: (
            <Link className="panel-link" to="/bookings" search={{ open: id }}>
              {title}
            </Link>
          ),
          second: agent.name,
          at: starts_at,
        }))}
    />
  );
}

/** The notes of all the contact's conversations, newest first. */
export function ContactNotes() {
  const { t } = useLingui();
  const { contact } = useThreadContext().conversation;
  const query = useQuery(trpc.contacts.notes.queryOptions({ contact: contact.id }));
  return (
    <Lines
      query={query}
      empty={t`No notes.`}
      lines={query.data?.data.slice(0, shown).map(({ text, author, at }) => ({
        key: at,
        first: text,
        second: author,
        at,
      }))}
    />
  );
}

interface Line {
  key: string;
  first: ReactNode;
  second: string;
  at: string;
}

function Lines({
  query: { error },
  lines,
  empty,
  add = false,
}: {
  query: { error: unknown };
  lines: readonly Line[] | undefined;
  empty: string;
  /** What makes one more. */
  add?: ReactNode;
}) {
  if (error !== null) return <Text size="sm">{failureOf(error).message}</Text>;
  if (lines === undefined) return null;
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty} {add}
      </Text>
    );
  return (
    <>
      <ul className="panel-lines">
        {lines.map(({ key, first, second, at }) => (
          <li key={key}>
            <span className="panel-first" dir="auto">
              {first}
            </span>
            <span className="panel-second">
              {second !== '' && `${second} · `}
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
      {add !== false && (
        <Text size="sm" mt="xs">
          {add}
        </Text>
      )}
    </>
  );
}
