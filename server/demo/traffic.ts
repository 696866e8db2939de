import { simulateInbound } from '../messages/simulate.ts';
import type { Services } from '../platform/services.ts';
import { inTenant } from '../platform/tenancy.ts';
import { suggestIn } from './assistance.ts';
import { readDemoFile } from './file.ts';
import { customerLines } from './customer-lines.ts';

/** Between two messages of the demo's customers, in milliseconds, over all processes: 20 to 70 seconds. */
const shortest = 20_000;
const spread = 50_000;
/** So many known customers write; the others are silent. */
const writers = 40;

/**
 * In demo mode, customers of the demo company write on their own, so that its inbox is alive. Never for another
 * company. @returns stops it
 */
export function startDemoTraffic(app: Services): () => void {
  if (!app.config.demo || !app.config.demoTraffic) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const next = (): void => {
    if (stopped) return;
    // Every process has its own timer: together they keep the pace.
    timer = setTimeout(() => void turn(), (shortest + Math.random() * spread) * app.config.webConcurrency);
    timer.unref();
  };
  const turn = async (): Promise<void> => {
    await customerWrites(app).catch((error: unknown) => app.log.warn({ err: error }, 'demo traffic'));
    next();
  };
  next();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** One customer of the demo company writes something. @returns whether there is a demo company to write to */
export async function customerWrites(app: Services): Promise<boolean> {
  const company = readDemoFile(app.config)?.company.id;
  if (company === undefined) return false;
  const contacts = await inTenant(company, () =>
    app.prisma.contact.findMany({
      where: { companyId: company, deletedAt: null, blocked: false, phone: { not: null } },
      orderBy: { id: 'asc' },
      take: writers,
      select: { phone: true, name: true },
    }),
  );
  const contact = pick(contacts);
  const line = pick(customerLines);
  if (!contact?.phone || line === undefined) return false;
  const name = contact.name === null ? {} : { name: contact.name };
  const arrival = await simulateInbound(app, company, { from: contact.phone, text: line, ...name });
  if (arrival) await suggestIn(app, company, arrival.conversation);
  return true;
}

function pick<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}
