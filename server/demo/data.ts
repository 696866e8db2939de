import type { User } from '../../prisma/generated/client/client.ts';
import type { Db } from '../platform/database.ts';
import type { Services } from '../platform/services.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { campaignRows } from '../sandbox/campaigns.ts';
import { quickReplies } from '../sandbox/content.ts';
import { emptyDataset, insertDataset } from '../sandbox/dataset.ts';
import { type FixtureIds, fixtureIds } from '../sandbox/ids.ts';
import { seedCompany } from '../seed/seed.ts';
import { bookings, campaigns } from './content.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Fills the demo company as if it had been in business for months. Safe to repeat. */
export async function addDemoData(app: Services, companyId: string, now: Date): Promise<void> {
  await seedCompany(app.databaseUrl, {
    companyId,
    seed: 'demo',
    contacts: 60,
    conversations: 40,
    messages: 420,
    products: 14,
    orders: 36,
    until: new Date(now.getTime() - 90_000),
    pace: { talk: 4 * hour, order: 5 * hour, contact: 1.9 * day, all: 125 * day },
  });
  await acrossTenants(() =>
    app.prisma.$transaction((db: Db) => addExtras(db, companyId, now), { timeout: 30_000 }),
  );
}

/** What the seed has not: quick replies, a system tag, campaigns, bookings. */
async function addExtras(db: Db, companyId: string, now: Date): Promise<void> {
  if (await db.campaign.findFirst({ where: { companyId }, select: { id: true } })) return;
  const id = fixtureIds(companyId);
  const rows = emptyDataset();
  const users = await db.user.findMany({ where: { companyId }, orderBy: { createdAt: 'asc' } });
  const channel = await db.channel.findFirstOrThrow({ where: { companyId } });
  const contacts = await db.contact.findMany({ where: { companyId }, orderBy: { id: 'asc' } });
  const [owner] = users;
  if (!owner) throw new Error('The demo company has no owner.');
  const stamps = { createdAt: now, updatedAt: now };

  rows.tags.push({
    companyId,
    id: id('tag/vip', now),
    name: 'VIP',
    color: '#B45309',
    system: true,
    ...stamps,
  });
  for (const { variables, ...reply } of quickReplies) {
    const replyId = id(`quick-reply/${reply.shortcut}`, now);
    const usageCount = reply.shortcut.length * 7;
    rows.quickReplies.push({
      companyId,
      id: replyId,
      ...reply,
      variables: [...variables],
      usageCount,
      createdById: owner.id,
      ...stamps,
    });
  }
  for (const script of campaigns(now, contacts)) {
    const made = campaignRows({
      ...script,
      companyId,
      id: id(`campaign/${script.name}`, script.createdAt),
      channelId: channel.id,
      createdById: owner.id,
    });
    rows.campaigns.push(made.campaign);
    rows.recipients.push(...made.recipients);
  }
  addBookings(rows.bookings, {
    companyId,
    id,
    users,
    contactIds: contacts.map((contact) => contact.id),
    now,
  });
  await insertDataset(db, rows);
  await db.channel.create({
    data: {
      companyId,
      id: id('channel/website', now),
      kind: 'webchat',
      name: 'Website',
      config: {
        title: 'Casa Lume',
        greeting: 'Hello! Ask us anything about lamps, orders or a visit to the workshop.',
        color: '#B45309',
        ask_name: 'optional',
      },
      createdAt: now,
      updatedAt: now,
    },
  });
}

interface Calendar {
  companyId: string;
  id: FixtureIds;
  users: User[];
  contactIds: string[];
  now: Date;
}

function addBookings(rows: ReturnType<typeof emptyDataset>['bookings'], calendar: Calendar): void {
  const { companyId, id, users, contactIds, now } = calendar;
  const midnight = Math.floor(now.getTime() / day) * day;
  for (const [place, { inDays, at, minutes, title, status, location }] of bookings.entries()) {
    const agent = users[place % users.length];
    if (!agent) continue;
    const startsAt = new Date(midnight + inDays * day + at * hour);
    rows.push({
      companyId,
      id: id(`booking/${place}`, now),
      title,
      status,
      startsAt,
      endsAt: new Date(startsAt.getTime() + minutes * 60_000),
      timezone: 'Europe/Lisbon',
      agentId: agent.id,
      contactId: contactIds[(place * 7) % contactIds.length] ?? null,
      location,
      createdBy: { type: 'agent', id: agent.id, name: agent.displayName, email: agent.email },
      createdAt: now,
      updatedAt: now,
    });
  }
}
