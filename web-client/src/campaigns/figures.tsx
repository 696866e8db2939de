import { useProfile } from '../account/use-profile.ts';
import { CardTable } from '../app/card-table.tsx';
import { money } from '../app/money.ts';
import { Section } from '../app/page.tsx';
import { number, share } from '../app/words.ts';
import type { CampaignRecord } from './campaigns-page.tsx';

/** What became of the messages: drawn, and as a table. */
export function Figures({ campaign: { stats } }: { campaign: CampaignRecord }) {
  const { company } = useProfile();
  const funnel = [
    { label: 'Recipients', count: stats.total },
    { label: 'Sent', count: stats.sent },
    { label: 'Delivered', count: stats.delivered },
    { label: 'Read', count: stats.read },
    { label: 'Replied', count: stats.replied },
  ];
  const rows = [
    { label: 'Waiting', count: stats.pending, of: stats.total },
    { label: 'Sent', count: stats.sent, of: stats.total },
    { label: 'Delivered', count: stats.delivered, of: stats.sent },
    { label: 'Read', count: stats.read, of: stats.sent },
    { label: 'Replied within 7 days', count: stats.replied, of: stats.sent },
    { label: 'Failed', count: stats.failed, of: stats.total },
    { label: 'Skipped', count: stats.skipped, of: stats.total },
    { label: 'Unsubscribed', count: stats.unsubscribed, of: stats.sent },
    { label: 'Orders', count: stats.orders, of: stats.sent },
  ];
  return (
    <Section
      title="Figures"
      description={`Orders that came of it are worth ${money(stats.revenue, company.currency)}.`}
    >
      <ol className="funnel" aria-label="From recipients to replies">
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
        caption="Figures"
        rows={rows}
        keyOf={({ label }) => label}
        columns={[
          { label: 'Figure', bare: true, cell: ({ label }) => label },
          {
            label: 'Contacts',
            cell: ({ count }) => <span className="campaign-figure">{number.format(count)}</span>,
          },
          {
            label: 'Share',
            cell: ({ count, of }) => <span className="campaign-figure">{share(count, of)}</span>,
          },
        ]}
      />
    </Section>
  );
}
