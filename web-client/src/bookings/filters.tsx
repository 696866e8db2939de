import { Trans, useLingui } from '@lingui/react/macro';
import { NativeSelect, Switch } from '@mantine/core';
import { useMemo } from 'react';
import { useSetSearch } from '../app/search.ts';
import { inWords } from '../app/words.ts';
import type { Lane } from './lanes.ts';
import { type BookingsSearch, type BookingView, bookingViews } from './routes.ts';

interface Props {
  search: BookingsSearch;
  view: BookingView;
  zone: string;
  lanes: readonly Lane[];
  /** E-mails of those that are shown; empty for all. */
  chosen: readonly string[];
}

/** What is shown of the calendar, and in which time. */
export function BookingFilters({ search, view, zone, lanes, chosen }: Props) {
  const { t } = useLingui();
  const setSearch = useSetSearch<BookingsSearch>();
  const toggle = (email: string) => {
    const next = chosen.includes(email) ? chosen.filter((one) => one !== email) : [...chosen, email];
    setSearch({ agent: next.join(',') || undefined });
  };
  const grid = view === 'week' || view === 'day';
  return (
    <search className="booking-filters">
      <div className="booking-choices">
        <NativeSelect
          aria-label={t`View`}
          value={view}
          data={bookingViews.map((word) => ({ value: word, label: inWords(word) }))}
          onChange={(event) => {
            const word = event.currentTarget.value;
            setSearch({ view: bookingViews.find((known) => known === word) });
          }}
        />
        <ZoneSelect label={t`Time zone`} zone={zone} onChange={(one) => setSearch({ zone: one })} />
        {grid && (
          <>
            <ZoneSelect
              label={t`Second time zone`}
              none={t`No second time zone`}
              zone={search.second ?? ''}
              onChange={(one) => setSearch({ second: one || undefined })}
            />
            <Switch
              label={t`All hours`}
              checked={search.night === true}
              onChange={(event) => setSearch({ night: event.currentTarget.checked || undefined })}
            />
          </>
        )}
      </div>
      {lanes.length > 1 && (
        <div className="booking-lanes" role="group" aria-label={t`Agents`}>
          {lanes.map(({ email, name, colour }) => (
            <button
              key={email}
              type="button"
              className={`booking-lane booking-lane-${colour}`}
              aria-pressed={chosen.includes(email)}
              data-off={(chosen.length > 0 && !chosen.includes(email)) || undefined}
              onClick={() => toggle(email)}
            >
              {name}
            </button>
          ))}
          {chosen.length > 0 && (
            <button type="button" className="booking-lane" onClick={() => setSearch({ agent: undefined })}>
              <Trans>All agents</Trans>
            </button>
          )}
        </div>
      )}
    </search>
  );
}

const zones = Intl.supportedValuesOf('timeZone');

interface ZoneProps {
  label: string;
  zone: string;
  /** What stands for none; absent where there must be one. */
  none?: string;
  onChange(zone: string): void;
}

function ZoneSelect({ label, zone, none, onChange }: ZoneProps) {
  const all = useMemo(() => {
    const known = zone === '' || zones.includes(zone) ? zones : [zone, ...zones];
    return known.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }));
  }, [zone]);
  return (
    <NativeSelect
      aria-label={label}
      value={zone}
      data={none === undefined ? all : [{ value: '', label: none }, ...all]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
