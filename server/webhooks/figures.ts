import { z } from 'zod';
import { query } from '../platform/operation.ts';

export interface EndpointFigures {
  id: string;
  deliveries: number;
  succeeded: number;
  p95: number | null;
  lastDeliveryAt: Date | null;
}

const day = 24 * 60 * 60 * 1000;

/** How each endpoint has done with the events of the last 24 hours. */
export const listWebhookFigures = query({ access: 'admin', liveOnly: true, input: z.object({}) }, (ctx) => {
  const since = new Date(ctx.now().getTime() - day);
  return ctx.db.$queryRaw<EndpointFigures[]>`
    SELECT w.id, figures.deliveries, figures.succeeded, figures.p95, latest.at AS "lastDeliveryAt"
    FROM webhook_endpoints w
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT d.id)::int AS deliveries,
        (count(DISTINCT d.id) FILTER (WHERE d.status = 'succeeded'))::int AS succeeded,
        (percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms))::int AS p95
      FROM webhook_deliveries d
      JOIN webhook_attempts a ON a.company_id = d.company_id AND a.delivery_id = d.id
      WHERE d.company_id = w.company_id AND d.endpoint_id = w.id AND d.created_at > ${since}
    ) AS figures
    LEFT JOIN LATERAL (
      SELECT d.created_at AS at FROM webhook_deliveries d
      WHERE d.company_id = w.company_id AND d.endpoint_id = w.id
      ORDER BY d.created_at DESC, d.id DESC LIMIT 1
    ) AS latest ON true
    WHERE w.company_id = ${ctx.companyId}
    ORDER BY w.created_at, w.id`;
});
