import { Trans, useLingui } from '@lingui/react/macro';
import { Button, NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureAlert } from '../app/failure-alert.tsx';
import { Moment } from '../app/moment.tsx';
import { Page, Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { CloseSection } from './close-section.tsx';
import { ExportSection } from './export-section.tsx';
import { dayName, days, hoursIn, textOf } from './hours.ts';
import './company.css';

type Company = inferOutput<typeof trpc.company.show>['data'];

/** Name, zone, hours, and what the house does by itself. For admins and the Owner. */
export function CompanyPage() {
  const { t } = useLingui();
  const company = useQuery(trpc.company.show.queryOptions({}));
  return (
    <Page title={t`Company`} description={t`What holds for everybody who works here.`}>
      <QueryState query={company} rows={8}>
        {({ data }) => <CompanyForm key={data.version} company={data} />}
      </QueryState>
      <ExportSection />
      {company.data && <CloseSection name={company.data.data.name} />}
    </Page>
  );
}

const zones = Intl.supportedValuesOf('timeZone');
const named = [
  'name',
  'timezone',
  'currency',
  'locale',
  'undo_send_seconds',
  'away_message',
  'rating_message',
  'auto_close_days',
  'retention_days',
];

function CompanyForm({ company }: { company: Company }) {
  const { t } = useLingui();
  const update = useMutation(trpc.company.update.mutationOptions());
  const [always, setAlways] = useState(company.business_hours === null);
  const { onSubmit, pending, errorOf, failure } = useSubmit(async (values) => {
    const text = (name: string) => values[name] ?? '';
    const hours = Object.fromEntries(
      days.map((day) => [day, hoursIn(text(day))] as const).filter(([, open]) => open.length > 0),
    );
    const { holidays } = company.business_hours ?? {};
    const daysIn = (name: string) => (text(name) === '' ? null : Number(text(name)));
    await update.mutateAsync({
      version: company.version,
      name: text('name'),
      timezone: text('timezone'),
      currency: text('currency'),
      locale: text('locale'),
      undo_send_seconds: Number(text('undo_send_seconds')),
      business_hours: always ? null : { ...hours, ...(holidays ? { holidays } : {}) },
      away_message: text('away_message') || null,
      auto_assign: 'auto_assign' in values,
      rating_request: 'rating_request' in values,
      rating_message: text('rating_message') || null,
      auto_close_days: daysIn('auto_close_days'),
      retention_days: daysIn('retention_days'),
    });
    await queryClient.invalidateQueries(trpc.company.show.queryFilter());
    told(t`The settings are saved.`);
  }, named);
  return (
    <form onSubmit={onSubmit} className="company">
      <Stack gap="xl">
        {failure && <FailureAlert failure={failure} />}
        <Section title={t`General`}>
          <Stack gap="md">
            <TextInput
              name="name"
              label={t`Name`}
              required
              withAsterisk={false}
              defaultValue={company.name}
              error={errorOf('name')}
            />
            <TextInput
              name="timezone"
              label={t`Time zone`}
              description={t`Reports and business hours follow it.`}
              list="zones"
              defaultValue={company.timezone}
              error={errorOf('timezone')}
            />
            <datalist id="zones">
              {zones.map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
            <TextInput
              name="currency"
              label={t`Currency`}
              description={t`Of new products and orders, such as EUR.`}
              maxLength={3}
              defaultValue={company.currency}
              error={errorOf('currency')}
            />
            <TextInput
              name="locale"
              label={t`Language`}
              description={t`A tag such as pt-PT: how numbers and money are written to customers.`}
              defaultValue={company.locale}
              error={errorOf('locale')}
            />
          </Stack>
        </Section>
        <Section title={t`Business hours`} description={<OpeningNow company={company} />}>
          <Stack gap="md">
            <Switch
              label={t`Always open`}
              checked={always}
              onChange={(event) => setAlways(event.currentTarget.checked)}
            />
            {!always &&
              days.map((day) => (
                <TextInput
                  key={day}
                  name={day}
                  label={dayName(day)}
                  placeholder={t`closed`}
                  defaultValue={textOf(company.business_hours, day)}
                />
              ))}
            {!always && (
              <Text size="sm" c="dimmed">
                <Trans>Such as 09:00–13:00, 14:00–18:00. Empty is a day off.</Trans>
              </Text>
            )}
            <Textarea
              name="away_message"
              label={t`Away message`}
              description={t`Answers customers who write outside of the hours. Empty: none.`}
              maxLength={1024}
              autosize={false}
              rows={3}
              defaultValue={company.away_message ?? ''}
              error={errorOf('away_message')}
            />
          </Stack>
        </Section>
        <Section title={t`What the inbox does by itself`}>
          <Stack gap="md">
            <Switch
              name="auto_assign"
              label={t`Give new conversations to agents`}
              description={t`In turn, to those who are available and have room.`}
              defaultChecked={company.auto_assign}
            />
            <Switch
              name="rating_request"
              label={t`Ask for a rating when an agent closes`}
              defaultChecked={company.rating_request}
            />
            <Textarea
              name="rating_message"
              label={t`How it is asked for`}
              description={t`Empty: in English.`}
              maxLength={1024}
              rows={3}
              defaultValue={company.rating_message ?? ''}
              error={errorOf('rating_message')}
            />
            <NumberInput
              name="auto_close_days"
              label={t`Close after so many days without an answer`}
              description={t`Of the customer. Empty: never.`}
              min={1}
              max={365}
              hideControls
              defaultValue={company.auto_close_days ?? ''}
              error={errorOf('auto_close_days')}
            />
            <NumberInput
              name="undo_send_seconds"
              label={t`Seconds to undo a sent message`}
              min={0}
              max={30}
              hideControls
              required
              withAsterisk={false}
              defaultValue={company.undo_send_seconds}
              error={errorOf('undo_send_seconds')}
            />
          </Stack>
        </Section>
        <Section
          title={t`How long things are kept`}
          description={t`Older messages, files, events and requests are removed at night and can't be brought back. Names of contacts, orders, figures and the audit log stay.`}
        >
          <NumberInput
            name="retention_days"
            label={t`Days to keep messages`}
            description={t`Empty: for ever.`}
            min={1}
            max={3650}
            hideControls
            defaultValue={company.retention_days ?? ''}
            error={errorOf('retention_days')}
          />
        </Section>
        <div>
          <Button type="submit" loading={pending}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function OpeningNow({ company: { opening } }: { company: Company }) {
  const { t } = useLingui();
  const change = opening.open ? opening.closes_at : opening.opens_at;
  return (
    <>
      {opening.open ? t`Open now` : t`Closed now`}
      {change !== null && (
        <>
          , {opening.open ? t`closes` : t`opens`} <Moment at={change} />
        </>
      )}
      .
    </>
  );
}
