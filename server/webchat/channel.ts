import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { WebchatConfig } from '../../schema/webchat.ts';
import type { CompanyRef, Context } from '../platform/context.ts';
import { forbidden } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import type { Services } from '../platform/services.ts';
import { acrossTenants } from '../platform/tenancy.ts';

/** A webchat channel that visitors may use, with its settings read. */
export interface WebchatChannel {
  id: string;
  company: CompanyRef;
  config: WebchatConfig;
}

/** A change of a channel is effective after so many milliseconds: every open socket is checked again and again. */
const keepMs = 2_000;

interface Kept {
  until: number;
  found: Promise<WebchatChannel | null>;
}

const kept = new WeakMap<Services, Map<string, Kept>>();

/** The channel that a page names, whichever company's it is; null when there is none or it is switched off. */
export function findWebchat(app: Services, id: string): Promise<WebchatChannel | null> {
  if (!isId(id)) return Promise.resolve(null);
  const all = kept.get(app) ?? new Map<string, Kept>();
  kept.set(app, all);
  const known = all.get(id);
  if (known && known.until > performance.now()) return known.found;
  // Guesses would fill it.
  if (all.size > 10_000) all.clear();
  const found = load(app, id);
  all.set(id, { until: performance.now() + keepMs, found });
  found.catch(() => all.delete(id));
  return found;
}

async function load(app: Services, id: string): Promise<WebchatChannel | null> {
  const row = await acrossTenants(() =>
    app.prisma.channel.findFirst({
      where: { id, kind: 'webchat', company: { sandboxOf: null, closedAt: null } },
      include: { company: true },
    }),
  );
  if (!row || row.status === 'disabled') return null;
  const { id: companyId, name, timezone, currency } = row.company;
  return {
    id,
    company: { id: companyId, name, timezone, currency },
    config: configOf(row),
  };
}

/** Settings that were stored before anybody could read them count as none. */
export function configOf({ config }: Pick<ChannelRow, 'config'>): WebchatConfig {
  return WebchatConfig.safeParse(config).data ?? WebchatConfig.parse({});
}

/** Whether a page of this origin may show the widget: ours always may. */
export function allows({ config }: WebchatChannel, origin: string | undefined, own: string): boolean {
  if (config.allowed_origins.includes('*')) return true;
  if (origin === undefined) return false;
  return origin === own || config.allowed_origins.some((allowed) => matches(allowed, origin));
}

function matches(allowed: string, origin: string): boolean {
  if (!allowed.includes('://*.')) return allowed === origin;
  const [scheme = '', domain = ''] = allowed.split('*');
  return (
    origin.startsWith(scheme) && origin.endsWith(domain) && origin.length > scheme.length + domain.length
  );
}

/** Who writes, and on which channel. @throws AppError `forbidden` once the channel is gone */
export async function visitorChannel(ctx: Context): Promise<ChannelRow> {
  const channel = await ctx.db.channel.findUnique({
    where: { companyId_id: { companyId: ctx.companyId, id: visitorOf(ctx).channelId } },
  });
  if (!channel || channel.kind !== 'webchat' || channel.status === 'disabled') throw forbidden();
  return channel;
}

export function visitorOf({ principal }: Pick<Context, 'principal'>) {
  if (!principal.visitor) throw forbidden();
  return principal.visitor;
}
