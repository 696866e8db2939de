import { type Contact as ContactRow, Prisma } from '../../prisma/generated/client/client.ts';
import type { ContactUpdate } from '../../schema/contacts.ts';
import type { Context } from '../platform/context.ts';
import { inImport, type ImportRun, type Outcome } from '../platform/csv-plan.ts';
import { newId } from '../platform/ids.ts';
import { columns } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { Phone } from './phone.ts';
import { presentContact } from './present.ts';
import { changesOf, emitChanges, stamps } from './service.ts';

/** What a row says. Absent fields are kept. */
export interface ContactInput {
  id: string | undefined;
  phone: Phone | undefined;
  email: string | undefined;
  source: string;
  fields: ContactUpdate;
}

interface Open {
  at: number;
  input: ContactInput;
  /** How often somebody else made the contact between our look and our write. */
  overtaken: number;
}

const patience = 3;

/**
 * Writes a batch of rows in a few statements. Rows about one contact follow one another: all that could be of the same
 * contact but the first wait for the next round, so the outcome is that of row after row.
 */
export async function writeContacts(
  ctx: Context,
  run: ImportRun,
  inputs: ContactInput[],
): Promise<Outcome[]> {
  const { outcomes, made } = await inImport(ctx, run, async (work) => {
    const all: Outcome[] = [];
    const keys: string[] = [];
    let waiting = inputs.map((input, at): Open => ({ at, input, overtaken: 0 }));
    while (waiting.length > 0) {
      const round = new Round(work, run);
      waiting = await round.write(waiting, all);
      keys.push(...round.made);
    }
    return { outcomes: all, made: keys };
  });
  if (run.dryRun) for (const key of made) run.made.add(key);
  return outcomes;
}

function keysOf({ id, phone, email }: ContactInput): string[] {
  const keys: string[] = [];
  if (id !== undefined) keys.push(`id ${id}`);
  if (phone) keys.push(phone.key);
  if (email !== undefined) keys.push(email.toLowerCase());
  return keys;
}

/** Rows of which no two are about one contact. */
class Round {
  /** Keys of the contacts that it made. */
  readonly made: string[] = [];
  readonly #ctx: WorkContext;
  readonly #run: ImportRun;
  readonly #created: ContactRow[] = [];
  readonly #updated: { before: ContactRow; after: ContactRow }[] = [];

  constructor(ctx: WorkContext, run: ImportRun) {
    this.#ctx = ctx;
    this.#run = run;
  }

  /** @returns the rows that have to wait for the next round */
  async write(open: Open[], outcomes: Outcome[]): Promise<Open[]> {
    const { now, later } = partOf(open);
    const known = new Known(
      await lockMatches(
        this.#ctx,
        now.map(({ input }) => input),
      ),
    );
    const making: Open[] = [];
    for (const row of now) {
      const outcome = this.#decide(row.input, known);
      if (outcome === 'wait') later.push(row);
      else outcomes[row.at] = outcome;
      if (outcome === 'created') making.push(row);
    }
    const there = await insertContacts(this.#ctx, this.#created);
    for (const [index, row] of making.entries()) {
      if (there.has(this.#created[index]?.id ?? '')) {
        if (this.#run.dryRun) this.#remember(row, outcomes);
      } else if (++row.overtaken < patience) later.push(row);
      else outcomes[row.at] = taken;
    }
    await updateContacts(this.#ctx, this.#updated);
    for (const row of this.#created)
      if (there.has(row.id))
        this.#ctx.emit({ type: 'contact.created', object: presentContact(row), contactId: row.id });
    for (const { before, after } of this.#updated) emitChanges(this.#ctx, before, after);
    return later.toSorted((a, b) => a.at - b.at);
  }

  /** An earlier batch of the dry run would have made it. */
  #remember({ at, input }: Open, outcomes: Outcome[]): void {
    const keys = keysOf(input).filter((key) => !key.startsWith('id '));
    if (keys.some((key) => this.#run.made.has(key))) outcomes[at] = 'updated';
    this.made.push(...keys);
  }

  #decide(input: ContactInput, known: Known): Outcome | 'wait' {
    const byPhone = input.phone && known.byPhone(input.phone.key);
    const byEmail = input.email === undefined ? undefined : known.byEmail(input.email);
    const before = (input.id === undefined ? undefined : known.byId(input.id)) ?? byPhone ?? byEmail;
    if ([before, byPhone, byEmail].some((row) => row && known.touched.has(row.id))) return 'wait';
    if (!before) return this.#create(input);
    if (byPhone && byPhone.id !== before.id) return duplicate('phone', byPhone.id);
    if (byEmail && byEmail.id !== before.id) return duplicate('email', byEmail.id);
    known.touched.add(before.id);
    return this.#update(input, before);
  }

  #create({ fields, phone, source }: ContactInput): Outcome {
    const now = this.#ctx.now();
    const blocked = fields.blocked ?? false;
    this.#created.push({
      companyId: this.#ctx.companyId,
      id: newId(),
      name: fields.name ?? null,
      phone: phone?.number ?? null,
      phoneKey: phone?.key ?? null,
      email: fields.email ?? null,
      country: fields.country?.toUpperCase() ?? null,
      subscribed: fields.subscribed ?? true,
      blocked,
      source,
      timezone: null,
      locale: null,
      attributes: {},
      nameSort: '',
      mergedIntoId: null,
      unsubscribedAt: null,
      blockedAt: blocked ? now : null,
      deletedAt: null,
      anonymisedAt: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    return 'created';
  }

  #update({ fields, phone }: ContactInput, before: ContactRow): Outcome {
    const changes = changesOf(fields, phone, before);
    if (Object.keys(changes).length === 0) return 'skipped';
    const now = this.#ctx.now();
    const after = {
      ...before,
      ...changes,
      ...stamps(changes, now),
      version: before.version + 1,
      updatedAt: now,
    };
    this.#updated.push({ before, after });
    return 'updated';
  }
}

/** The first of the rows that share a phone, e-mail or id, directly or through others before it; the rest waits. */
function partOf(open: Open[]): { now: Open[]; later: Open[] } {
  const taken = new Set<string>();
  const now: Open[] = [];
  const later: Open[] = [];
  for (const row of open) {
    const keys = keysOf(row.input);
    (keys.some((key) => taken.has(key)) ? later : now).push(row);
    for (const key of keys) taken.add(key);
  }
  return { now, later };
}

function duplicate(param: 'phone' | 'email', existing: string): Outcome {
  const value = param === 'phone' ? 'phone number' : 'e-mail address';
  return { code: 'duplicate', param, message: `Another contact has this ${value}: ${existing}.` };
}

const taken: Outcome = {
  code: 'duplicate',
  param: null,
  message: 'Another contact has this phone number or e-mail address.',
};

class Known {
  /** Ids of those that this round changes or leaves as they are. */
  readonly touched = new Set<string>();
  readonly #byKey = new Map<string, ContactRow>();

  constructor(rows: ContactRow[]) {
    for (const row of rows) {
      this.#byKey.set(`id ${row.id}`, row);
      if (row.phoneKey !== null) this.#byKey.set(row.phoneKey, row);
      if (row.email !== null) this.#byKey.set(row.email.toLowerCase(), row);
    }
  }

  byId(id: string): ContactRow | undefined {
    return this.#byKey.get(`id ${id}`);
  }

  byPhone(key: string): ContactRow | undefined {
    return this.#byKey.get(key);
  }

  byEmail(email: string): ContactRow | undefined {
    return this.#byKey.get(email.toLowerCase());
  }
}

/** Every contact that a row may be of, held in id order until the commit. */
function lockMatches(ctx: WorkContext, inputs: ContactInput[]): Promise<ContactRow[]> {
  const ids = inputs.flatMap(({ id }) => id ?? []);
  const phones = inputs.flatMap(({ phone }) => phone?.key ?? []);
  const emails = inputs.flatMap(({ email }) => email ?? []);
  return ctx.db.$queryRaw<ContactRow[]>`
    SELECT ${columns(Prisma.ContactScalarFieldEnum)} FROM contacts
    WHERE company_id = ${ctx.companyId} AND deleted_at IS NULL AND id = ANY(ARRAY(
      SELECT unnest(${ids}::text[])
      UNION SELECT c.id FROM unnest(${phones}::text[]) AS given (phone)
        JOIN contacts c ON c.company_id = ${ctx.companyId} AND c.phone_key = given.phone AND c.deleted_at IS NULL
      UNION SELECT found.id FROM contacts_by_email(${ctx.companyId}, ${emails}) AS found
    )) ORDER BY id FOR UPDATE`;
}

/** @returns ids of those inserted; one whose phone or e-mail was taken meanwhile is not */
async function insertContacts(ctx: WorkContext, rows: ContactRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const inserted = await ctx.db.$queryRaw<{ id: string }[]>`
    INSERT INTO contacts (company_id, id, name, phone, phone_key, email, country, subscribed, blocked, source, blocked_at,
      created_at, updated_at)
    SELECT ${ctx.companyId}, given.* FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (id text, name text,
      phone text, "phoneKey" text, email text, country text, subscribed boolean, blocked boolean, source text,
      "blockedAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz)
    ON CONFLICT DO NOTHING RETURNING id`;
  return new Set(inserted.map(({ id }) => id));
}

async function updateContacts(ctx: WorkContext, changed: { after: ContactRow }[]): Promise<void> {
  if (changed.length === 0) return;
  await ctx.db.$executeRaw`
    UPDATE contacts c SET name = given.name, phone = given.phone, phone_key = given."phoneKey", email = given.email,
      country = given.country, subscribed = given.subscribed, blocked = given.blocked,
      unsubscribed_at = given."unsubscribedAt", blocked_at = given."blockedAt", version = given.version,
      updated_at = given."updatedAt"
    FROM json_to_recordset(${JSON.stringify(changed.map(({ after }) => after))}::json) AS given (id text, name text,
      phone text, "phoneKey" text, email text, country text, subscribed boolean, blocked boolean,
      "unsubscribedAt" timestamptz, "blockedAt" timestamptz, version int, "updatedAt" timestamptz)
    WHERE c.company_id = ${ctx.companyId} AND c.id = given.id`;
}
