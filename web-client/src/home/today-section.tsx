import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ownZone } from '../account/own-zone.ts';
import { useProfile } from '../account/use-profile.ts';
import { Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { Status } from '../app/status.tsx';
import { trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { bookingTone } from '../bookings/words.ts';
import { addDays, momentIn, wallTime } from '../bookings/zone.ts';
import { dateFormat } from '../language/formats.ts';

const time = dateFormat({ hour: '2-digit', minute: '2-digit' }, ownZone);

/** The agent's own bookings of this day, in order. */
export function TodaySection() {
  const { t } = useLingui();
  const { email } = useProfile();
  const zone = ownZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { day } = wallTime(new Date(), zone);
  const query = useQuery(
    trpc.bookings.list.queryOptions({
      from: momentIn({ day, minutes: 0 }, zone).toISOString(),
      to: momentIn({ day: addDays(day, 1), minutes: 0 }, zone).toISOString(),
      status: 'pending,confirmed,completed,no_show',
    }),
  );
  return (
    <Section
      title={t`Your bookings today`}
      actions={
        <Anchor component={Link} to="/bookings">
          <Trans>To the calendar</Trans>
        </Anchor>
      }
    >
      <QueryState query={query} rows={2}>
        {({ data }) => {
          const own = data.filter(({ agent_email }) => agent_email === email);
          if (own.length === 0)
            return (
              <Text c="dimmed">
                {data.length === 0
                  ? t`Nobody has a booking today.`
                  : t`You have none; your colleagues have ${data.length}.`}
              </Text>
            );
          return (
            <ul className="home-list">
              {own.map(({ id, title, starts_at, ends_at, status, contact, attendee, location }) => (
                <li key={id}>
                  <Link to="/bookings" search={{ open: id }}>
                    <span className="home-name">{title}</span>
                    <span className="home-more">
                      {[contact?.name ?? attendee?.name, location].filter(Boolean).join(' · ')}
                    </span>
                    <Status tone={bookingTone[status]}>{inWords(status)}</Status>
                    <span className="home-time">
                      {time.formatRange(new Date(starts_at), new Date(ends_at))}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </Section>
  );
}
