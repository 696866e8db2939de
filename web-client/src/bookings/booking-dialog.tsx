import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type BookingStatus, bookingTransitions } from '../../../schema/words.ts';
import { useCan } from '../account/use-profile.ts';
import { Confirm } from '../app/confirm.tsx';
import { done } from '../app/done.ts';
import { currentMode } from '../app/mode.ts';
import { Facts } from '../app/facts.tsx';
import { QueryState } from '../app/query-state.tsx';
import { Status } from '../app/status.tsx';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { contactChoice } from '../contacts/contact-picker.tsx';
import { BookingForm } from './booking-form.tsx';
import type { Booking } from './bookings-page.tsx';
import { spoken } from './spoken.ts';
import { bookingTone } from './words.ts';

interface Props {
  /** `new`, or of the booking that is shown. */
  id: string | undefined;
  at: string | undefined;
  until: string | undefined;
  /** E-mail of the only agent that is shown. */
  agent: string | undefined;
  contact: string | undefined;
  zone: string;
  onClose(): void;
}

/** One booking: what it is, and what can be done about it. */
export function BookingDialog({ id, zone, onClose, ...fields }: Props) {
  const { t } = useLingui();
  const fresh = id === 'new';
  return (
    <Modal opened={id !== undefined} onClose={onClose} title={fresh ? t`New booking` : t`Booking`} size="lg">
      {fresh && <Fresh key={fields.at} {...fields} zone={zone} onClose={onClose} />}
      {id !== undefined && !fresh && <Existing id={id} zone={zone} onClose={onClose} />}
    </Modal>
  );
}

function Fresh({ contact, ...fields }: Omit<Props, 'id'>) {
  const known = useQuery(
    trpc.contacts.show.queryOptions({ contact: contact ?? '' }, { enabled: contact !== undefined }),
  );
  if (contact !== undefined && known.isPending) return null;
  return (
    <BookingForm booking={null} contact={known.data ? contactChoice(known.data.data) : null} {...fields} />
  );
}

function Existing({ id, zone, onClose }: { id: string; zone: string; onClose(): void }) {
  const query = useQuery(trpc.bookings.show.queryOptions({ booking: id }));
  const [editing, setEditing] = useState(false);
  return (
    <QueryState query={query}>
      {({ data }) =>
        editing ? (
          <BookingForm
            booking={data}
            contact={data.contact && contactChoice(data.contact)}
            zone={zone}
            onClose={() => setEditing(false)}
          />
        ) : (
          <Details booking={data} zone={zone} onEdit={() => setEditing(true)} onClose={onClose} />
        )
      }
    </QueryState>
  );
}

const verbs: Record<BookingStatus, string> = {
  get pending() {
    return t`Make pending`;
  },
  get confirmed() {
    return t`Confirm`;
  },
  get cancelled() {
    return t`Cancel it…`;
  },
  get completed() {
    return t`Completed`;
  },
  get no_show() {
    return t`Did not come`;
  },
};

const refresh = () => queryClient.invalidateQueries(trpc.bookings.pathFilter());

interface DetailsProps {
  booking: Booking;
  zone: string;
  onEdit(): void;
  onClose(): void;
}

function Details({ booking, zone, onEdit, onClose }: DetailsProps) {
  const { t } = useLingui();
  const manages = useCan()('calendar.manage') && currentMode() === 'live';
  const [asked, setAsked] = useState<'cancel' | 'delete' | null>(null);
  const update = useMutation(trpc.bookings.update.mutationOptions());
  const remove = useMutation(trpc.bookings.delete.mutationOptions());
  const { contact, status, title } = booking;
  const set = async (next: BookingStatus) => {
    await update.mutateAsync({ booking: booking.id, status: next });
    await refresh();
    done(`${title}: ${inWords(next).toLowerCase()}.`);
  };
  const movable = status === 'pending' || status === 'confirmed';
  return (
    <Stack gap="lg">
      <div>
        <Text fw={600} size="lg">
          {title}
        </Text>
        <Text>{spoken(booking, zone)}</Text>
      </div>
      <Facts
        facts={[
          { label: t`Status`, value: <Status tone={bookingTone[status]}>{inWords(status)}</Status> },
          { label: t`Agent`, value: booking.agent.name },
          {
            label: t`Contact`,
            value: contact && (
              <Anchor component={Link} to={`/contacts/${contact.id}`}>
                {contact.name ?? contact.phone ?? t`No name`}
              </Anchor>
            ),
          },
          { label: t`Place`, value: booking.location },
          ...(booking.notes
            ? [{ label: t`Notes`, value: <span className="wrapped">{booking.notes}</span> }]
            : []),
          ...(booking.cancel_reason ? [{ label: t`Cancelled because`, value: booking.cancel_reason }] : []),
        ]}
      />
      {manages && (
        <Group gap="xs">
          {movable && (
            <Button onClick={onEdit}>
              <Trans>Edit or move</Trans>
            </Button>
          )}
          {bookingTransitions[status].map((next) => (
            <Button
              key={next}
              variant="default"
              loading={update.isPending}
              onClick={() => {
                if (next === 'cancelled') setAsked('cancel');
                else set(next).catch(refused);
              }}
            >
              {verbs[next]}
            </Button>
          ))}
          <Button variant="default" onClick={() => setAsked('delete')}>
            <Trans>Delete…</Trans>
          </Button>
        </Group>
      )}
      <Confirm
        title={asked === 'cancel' ? t`Cancel ${title}?` : null}
        action={t`Cancel the booking`}
        onClose={() => setAsked(null)}
        run={() => set('cancelled')}
      >
        <Trans>Its time is free again. It can’t be taken back.</Trans>
      </Confirm>
      <Confirm
        title={asked === 'delete' ? t`Delete ${title}?` : null}
        action={t`Delete`}
        onClose={() => setAsked(null)}
        run={async () => {
          await remove.mutateAsync({ booking: booking.id });
          onClose();
          await queryClient.invalidateQueries(trpc.bookings.list.pathFilter());
          done(t`${title} is deleted.`);
        }}
      >
        <Trans>Its time is free again, and nobody sees any more that it was there.</Trans>
      </Confirm>
    </Stack>
  );
}
