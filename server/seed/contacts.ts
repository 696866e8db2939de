import type { ClientBase } from 'pg';
import { parsePhone } from '../contacts/phone.ts';
import { copyRows } from './copy.ts';
import { inBatches, missing } from './batches.ts';
import type { SeedPlan, SeedStage } from './plan.ts';
import { tables } from './tables.ts';

const batchSize = 5_000;

/** Contacts with their address on the channel. Returns how many were not there yet. */
export async function seedContacts(client: ClientBase, plan: SeedPlan, stage: SeedStage): Promise<number> {
  return inBatches(client, plan, plan.options.contacts, batchSize, async (indexes) => {
    const { companyId } = plan.options;
    const fresh = await missing(client, 'contacts', companyId, indexes, (index) => plan.contactId(index));
    const rows = fresh.map((index) => contactRow(plan, index));
    await giveUpTaken(client, companyId, rows);
    await copyRows(client, tables.contacts, rows);
    const identities = rows.flatMap(({ id, phone, createdAt }, place) =>
      phone === null
        ? []
        : [
            {
              companyId,
              id: plan.ids.id('identity', fresh[place] ?? 0, createdAt),
              contactId: id,
              channelId: stage.channel.id,
              address: phone,
              createdAt,
            },
          ],
    );
    await copyRows(client, tables.identities, identities);
    return fresh.length;
  });
}

type ContactRow = ReturnType<typeof contactRow>;

function contactRow(plan: SeedPlan, index: number) {
  const { name, phone, email, country, language } = plan.person(index);
  const random = plan.random('contact', index);
  const createdAt = plan.contactCreatedAt(index);
  const unsubscribed = random.chance(6);
  const blocked = random.chance(1);
  return {
    companyId: plan.options.companyId,
    id: plan.contactId(index),
    name: random.chance(3) ? null : name,
    phone: phone as string | null,
    phoneKey: (parsePhone(phone)?.key ?? phone) as string | null,
    email,
    country,
    locale: language,
    subscribed: !unsubscribed,
    blocked,
    source: random.pick(['api', 'api', 'whatsapp', 'webchat', 'import']),
    unsubscribedAt: unsubscribed ? createdAt : null,
    blockedAt: blocked ? createdAt : null,
    createdAt,
    updatedAt: createdAt,
  };
}

/** A phone or e-mail that another contact of the company has stays with that one. */
async function giveUpTaken(client: ClientBase, companyId: string, rows: ContactRow[]): Promise<void> {
  const { rows: taken } = await client.query<{ value: string }>(
    `SELECT phone_key AS value FROM contacts
     WHERE company_id = $1 AND phone_key = ANY($2) AND deleted_at IS NULL
     UNION ALL
     SELECT lower(email) FROM contacts WHERE company_id = $1 AND lower(email) = ANY($3) AND deleted_at IS NULL
     UNION ALL
     SELECT address FROM contact_identities WHERE company_id = $1 AND address = ANY($4)`,
    [
      companyId,
      rows.map(({ phoneKey }) => phoneKey),
      rows.map(({ email }) => email),
      rows.map(({ phone }) => phone),
    ],
  );
  if (taken.length === 0) return;
  const values = new Set(taken.map(({ value }) => value));
  for (const row of rows) {
    if (values.has(row.phoneKey ?? '') || values.has(row.phone ?? ''))
      Object.assign(row, { phone: null, phoneKey: null });
    if (values.has(row.email ?? '')) row.email = null;
  }
}
