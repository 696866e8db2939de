import { z } from 'zod';
import { email, idOut, issue, list, momentOf, pageQuery, publicId, single } from './common.ts';
import { amountOut, currencyOut } from './money.ts';

/**
 * What is counted or measured. Each has one definition, in `server/reports/metrics.ts`; every figure of a report is made
 * of it, and so is the list of conversations behind the figure.
 */
export const metrics = {
  opened: { unit: 'count', text: 'Conversations begun in the period in which the customer has written.' },
  received: { unit: 'count', text: 'Messages of customers.' },
  sent: {
    unit: 'count',
    text: 'Messages of agents, programs and AI to customers; no campaigns, and nothing that waits or was cancelled.',
  },
  closed: { unit: 'count', text: 'Closings of conversations; one that is closed twice counts twice.' },
  first_response: {
    unit: 'seconds',
    text: "From the customer's first message to the first answer, by the clock, for conversations begun in the period. Those that have no answer yet are left out.",
  },
  resolution: {
    unit: 'seconds',
    text: 'From the opening of a conversation, or its reopening, to its closing in the period, by the clock.',
  },
  rating: {
    unit: 'rating',
    text: 'Ratings of 1 to 5 given in the period; a rating that was changed counts as it is now.',
  },
  campaign_orders: {
    unit: 'amount',
    text: "Orders within 7 days of a campaign's message in their conversation, as long as they are not cancelled or returned; amounts in the company's currency.",
  },
} as const satisfies Record<string, { unit: 'count' | 'seconds' | 'rating' | 'amount'; text: string }>;

export type Metric = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as [Metric, ...Metric[]];

/** Longest period of a report, in days. */
export const reportDaysMaximum = 366;

const date = z
  .string()
  .superRefine((value, context) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(momentOf(value)))
      context.addIssue(issue('format', 'Must be a date such as 2026-03-31.'));
  })
  .meta({ format: 'date', examples: ['2026-03-31'] });

/** Whole days of the company's time zone, the last one included. */
const period = { from: date, to: date };

function checkPeriod({ from, to }: { from: string; to: string }, context: z.RefinementCtx): void {
  const days = (momentOf(to) - momentOf(from)) / 86_400_000 + 1;
  if (days < 1) context.addIssue({ ...issue('min', 'Must not be before `from`.'), path: ['to'] });
  if (days > reportDaysMaximum)
    context.addIssue({ ...issue('max', `At most ${reportDaysMaximum} days.`), path: ['to'] });
}

export const ReportQuery = z
  .object({ ...period, group: z.enum(['day', 'week']).optional().meta({ default: 'day' }) })
  .superRefine(checkPeriod);
export type ReportQuery = z.infer<typeof ReportQuery>;

/** Which conversations are behind a figure: those of a metric in a period, narrowed as the figure is. */
export const ReportConversationsQuery = z
  .object({
    metric: z.enum(metricNames),
    ...period,
    agent: email.optional().meta({ description: 'Row of the report by agent.' }),
    tag: publicId.optional().meta({ description: 'Row of the report by tag.' }),
    rating: z.int().min(1).max(5).optional(),
    campaign: publicId.optional(),
    ...pageQuery,
  })
  .superRefine(checkPeriod);
export type ReportConversationsQuery = z.infer<typeof ReportConversationsQuery>;

const measure = z.number().nullable();

/** Number of cases and, unless they are only counted, the middle one, the one that 90 % stay below, and the mean. */
export const Summary = z
  .strictObject({ count: z.int().min(0), median: measure, p90: measure, average: measure })
  .meta({ id: 'ReportSummary' });
export type Summary = z.infer<typeof Summary>;

const Figure = z.strictObject({
  metric: z.enum(metricNames),
  unit: z.enum(['count', 'seconds', 'rating', 'amount']),
  definition: z.string(),
  total: Summary,
  previous: Summary.meta({ description: 'The same in the period of the same length just before.' }),
  series: z.array(z.strictObject({ start: z.iso.date(), summary: Summary })).meta({
    description: 'Each day, or each week by its Monday, in order.',
  }),
});
export type Figure = z.infer<typeof Figure>;

const range = { from: z.iso.date(), to: z.iso.date() };
const frame = {
  period: z.strictObject({ ...range, group: z.enum(['day', 'week']), timezone: z.string() }),
  previous: z.strictObject(range),
};

export const Report = z.strictObject({ ...frame, figures: z.array(Figure) }).meta({ id: 'Report' });
export type Report = z.infer<typeof Report>;

export const AgentRow = z.strictObject({
  agent: z.strictObject({ name: z.string(), email: z.string() }),
  sent: Summary,
  closed: Summary,
  first_response: Summary,
  resolution: Summary,
  rating: Summary,
});
export type AgentRow = z.infer<typeof AgentRow>;

export const TagRow = z.strictObject({
  tag: z.strictObject({ id: idOut, name: z.string(), color: z.string() }),
  opened: Summary,
  closed: Summary,
  first_response: Summary,
  resolution: Summary,
  rating: Summary,
});
export type TagRow = z.infer<typeof TagRow>;

export const CampaignRow = z.strictObject({
  campaign: z.strictObject({ id: idOut, name: z.string() }),
  orders: z.int().min(0),
  revenue: amountOut,
  previous_orders: z.int().min(0),
  previous_revenue: amountOut,
  currency: currencyOut,
});
export type CampaignRow = z.infer<typeof CampaignRow>;

export const ReportBody = single(Report);
export const CsatBody = single(
  Report.extend({
    distribution: z.array(z.strictObject({ rating: z.int().min(1).max(5), count: z.int().min(0) })),
  }),
);
export const AgentRows = list(AgentRow);
export const TagRows = list(TagRow);
export const CampaignRows = list(CampaignRow);
