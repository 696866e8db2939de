import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProfile } from '../account/use-profile.ts';
import { done } from '../app/done.ts';
import { failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import type { Choice } from '../app/record-picker.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { ContactPicker } from '../contacts/contact-picker.tsx';
import type { Booking } from './bookings-page.tsx';
import { type Clash, lookAround } from './look-around.ts';
import { Taken } from './taken.tsx';
import { clock, minutesOf, momentIn, wallTime } from './zone.ts';

interface Props {
  booking: Booking | null;
  at?: string | undefined;
  until?: string | undefined;
  /** E-mail of whom it is with, unless somebody else is chosen. */
  agent?: string | undefined;
  contact: Choice | null;
  zone: string;
  onClose(): void;
}

const fields = [
  'title',
  'starts_at',
  'time',
  'duration_minutes',
  'agent_email',
  'contact',
  'location',
  'notes',
];

/** When, with whom, where. It does all that pointing and dragging in the calendar does. */
export function BookingForm({ booking, at, until, agent: wanted, contact: known, zone, onClose }: Props) {
  const { t } = useLingui();
  const profile = useProfile();
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const people = (agents.data?.data ?? []).filter(({ deactivated_at }) => deactivated_at === null);
  const [start, setStart] = useState(() => wallTime(startOf(booking, at), zone));
  const [contact, setContact] = useState(known);
  const [taken, setTaken] = useState<(Clash & { agent: string }) | null>(null);
  const create = useMutation(trpc.bookings.create.mutationOptions());
  const update = useMutation(trpc.bookings.update.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(async (values) => {
    setTaken(null);
    const startsAt = momentIn(start, zone);
    const duration = Number(values['duration_minutes']);
    const input = {
      title: values['title'] ?? '',
      starts_at: Number.isNaN(startsAt.getTime()) ? '' : startsAt.toISOString(),
      duration_minutes: duration,
      agent_email: values['agent_email'],
      contact: contact?.value ?? null,
      location: values['location'] || null,
      notes: values['notes'] || null,
    };
    try {
      if (booking) await update.mutateAsync({ booking: booking.id, ...input });
      else
        await create.mutateAsync({
          ...input,
          status: values['status'] === 'pending' ? 'pending' : 'confirmed',
        });
    } catch (error) {
      if (failureOf(error).code !== 'conflict') throw error;
      const email = input.agent_email ?? '';
      const found = await lookAround(email, startsAt, duration, ownTime(booking, email));
      if (!found) throw error;
      setTaken({ ...found, agent: people.find((one) => one.email === email)?.name ?? email });
      return;
    }
    await queryClient.invalidateQueries(trpc.bookings.pathFilter());
    done(t`The booking is saved.`);
    onClose();
  }, fields);
  const agent = booking?.agent_email ?? wanted ?? profile.email;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        {taken && (
          <Taken
            {...taken}
            zone={zone}
            onTake={(free) => {
              setStart(wallTime(free, zone));
              setTaken(null);
            }}
          />
        )}
        <TextInput
          name="title"
          label={t`Title`}
          autoComplete="off"
          data-autofocus
          defaultValue={booking?.title}
          error={errorOf('title')}
        />
        <SimpleGrid cols={{ base: 2, xs: 3 }}>
          <TextInput
            type="date"
            name="starts_at"
            label={t`Day`}
            value={start.day}
            onChange={(event) => setStart({ ...start, day: event.currentTarget.value })}
            error={errorOf('starts_at')}
          />
          <TextInput
            type="time"
            name="time"
            label={t`Time`}
            description={zone.replaceAll('_', ' ')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={Number.isNaN(start.minutes) ? '' : clock(start.minutes)}
            onChange={(event) => setStart({ ...start, minutes: minutesOf(event.currentTarget.value) })}
          />
          <TextInput
            name="duration_minutes"
            label={t`Minutes`}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={booking?.duration_minutes ?? minutesBetween(at, until)}
            error={errorOf('duration_minutes')}
          />
        </SimpleGrid>
        <NativeSelect
          key={people.length}
          name="agent_email"
          label={t`Agent`}
          defaultValue={agent}
          data={people.map(({ email, name }) => ({ value: email, label: name }))}
          error={errorOf('agent_email')}
        />
        <ContactPicker value={contact} onChange={setContact} error={errorOf('contact')} />
        <TextInput
          name="location"
          label={t`Place`}
          description={t`An address or a link.`}
          autoComplete="off"
          defaultValue={booking?.location ?? ''}
          error={errorOf('location')}
        />
        <Textarea
          name="notes"
          label={t`Notes`}
          autosize
          minRows={2}
          maxLength={2000}
          defaultValue={booking?.notes ?? ''}
          error={errorOf('notes')}
        />
        {!booking && (
          <NativeSelect
            name="status"
            label={t`Status`}
            data={[
              { value: 'confirmed', label: t`Confirmed` },
              { value: 'pending', label: t`Pending` },
            ]}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={pending}>
            <Trans>Save</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Of a booking, of the place one has clicked, or the next half hour. */
function startOf(booking: Booking | null, at: string | undefined): Date {
  const asked = new Date(booking?.starts_at ?? at ?? '');
  if (!Number.isNaN(asked.getTime())) return asked;
  return new Date(Math.ceil(Date.now() / 1_800_000) * 1_800_000);
}

/** Of the place one has drawn over in the calendar, else half an hour. */
function minutesBetween(at: string | undefined, until: string | undefined): number {
  const minutes = Math.round((Date.parse(until ?? '') - Date.parse(at ?? '')) / 60_000);
  return minutes > 0 ? minutes : 30;
}

/** The time that is free when a booking moves, as long as it takes one and stays with its agent. */
function ownTime(booking: Booking | null, agent: string): Booking | null {
  const active = booking?.status === 'pending' || booking?.status === 'confirmed';
  return active && booking.agent_email === agent ? booking : null;
}
