import { useLingui } from '@lingui/react/macro';
import { useProfile } from '../account/use-profile.ts';
import { CardTable } from '../app/card-table.tsx';
import { money } from '../app/money.ts';
import { Section } from '../app/page.tsx';
import { number, share } from '../app/words.ts';
import type { CampaignRecord } from './campaigns-page.tsx';

/** What became of the messages: drawn, and as a table. */
export function Figures({ campaign: { stats } }: { campaign: CampaignRecord }) {
  const { t } = useLingui();
  const { company } = useProfile();
  const funnel = [
    { label: t`Recipients`, count: stats.total },
    { label: t`Sent`, count: stats.sent },
    { label: t`Delivered`, count: stats.delivered },
    { label: t`Read`, count: stats.read },
    { label: t`Replied`, count: stats.replied },
  ];
  const rows = [
    { label: t`Waiting`, count: stats.pending, of: stats.total },
    { label: t`Sent`, count: stats.sent, of: stats.total },
    { label: t`Delivered`, count: stats.delivered, of: stats.sent },
    { label: t`Read`, count: stats.read, of: stats.sent },
    { label: t`Replied within 7 days`, count: stats.replied, of: stats.sent },
    { label: t`Failed`, count: stats.failed, of: stats.total },
    { label: t`Skipped`, count: stats.skipped, of: stats.total },
    { label: t`Unsubscribed`, count: stats.unsubscribed, of: stats.sent },
    { label: t`Orders`, count: stats.orders, of: stats.sent },
  ];
  return (
    <Section
      title={t`Figures`}
      description={t`Orders that came of it are worth ${money(stats.revenue, company.currency)}.`}
    >
      <ol className="funnel" aria-label={t`From recipients to replies`}>
        {funnel.map(({ label, count }) => (
          <li key={label}>
            <span>{label}</span>
            <span
              className="funnel-bar"
              style={{ width: `${stats.total === 0 ? 0 : (count / stats.total) * 100}%` }}
            />
            <span className="funnel-figure">
              {number.format(count)} ({share(count, stats.total)})
            </span>
          </li>
        ))}
      </ol>
      <CardTable
        caption={t`Figures`}
        rows={rows}
        keyOf={({ label }) => label}
        columns={[
          { label: t`Figure`, bare: true, cell: ({ label }) => label },
          {
            label: t`Contacts`,
            cell: ({ count }) => <span className="campaign-figure">{number.format(count)}</span>,
          },
          {
            label: t`Share`,
            cell: ({ count, of }) => <span className="campaign-figure">{share(count, of)}</span>,
          },
        ]}
      />
    </Section>
  );
}
