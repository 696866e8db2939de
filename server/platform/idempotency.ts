import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Context, StoredResponse } from './context.ts';
import type { Db } from './database.ts';
import { AppError } from './errors.ts';

/** How long a stored answer is replayed, in milliseconds. Source: API document, "Limits". */
export const retention = 24 * 60 * 60 * 1000;

/** Thrown to leave the unit of work when the answer is already known; the transport sends the stored response. */
export class Replay extends Error {
  readonly response: StoredResponse;

  constructor(response: StoredResponse) {
    super('This request was answered before.');
    this.name = 'Replay';
    this.response = response;
  }
}

interface Found {
  fingerprint: Uint8Array;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  createdAt: Date;
}

/**
 * SQL that tries to take the lock of the key for this transaction, as the last of what opens it: the look-up that follows
 * must not be older than the lock. The lock is the transaction's, so a crash leaves none behind.
 */
export function lockOfKey(ctx: Context): string {
  const request = ctx.idempotency;
  if (!request) return '';
  const name = Buffer.from(`${ownerOf(ctx)}:${request.key}`).toString('hex');
  return `; SELECT pg_try_advisory_xact_lock(hashtextextended(convert_from('\\x${name}', 'UTF8'), 7)) AS taken`;
}

/**
 * Goes on if the key may be used, or throws: `Replay` when the same request was answered within 24 hours,
 * `idempotency_conflict` when the key was used with other bytes or its first request is still running.
 * @param begun what {@link lockOfKey} will have answered
 */
export async function claimIdempotencyKey(
  ctx: Context,
  db: Db,
  begun: Promise<readonly object[]>,
): Promise<void> {
  const request = ctx.idempotency;
  if (!request) return;
  // Sent behind the lock without waiting for it, and looked up after it all the same.
  const looking = db.$queryRaw<Found[]>`
    SELECT fingerprint, status, headers, body, created_at AS "createdAt" FROM idempotency_records
    WHERE company_id = ${ctx.companyId} AND principal_id = ${ownerOf(ctx)} AND key = ${request.key}`;
  const [[lock], [found]] = await Promise.all([begun, looking]);
  if (!lock || Reflect.get(lock, 'taken') !== true)
    throw new AppError('idempotency_conflict', undefined, { retryAfter: 1 });
  if (!found || isOver(ctx, found)) return;
  if (!request.fingerprint.equals(found.fingerprint)) throw new AppError('idempotency_conflict');
  throw new Replay({
    status: found.status,
    headers: found.headers,
    body: Buffer.from(found.body).toString(),
  });
}

/** Whether the key has an answer already, so that nothing needs to be prepared: `claimIdempotencyKey` will throw. */
export async function keyWasUsed(ctx: Context): Promise<boolean> {
  const request = ctx.idempotency;
  if (!request) return false;
  const [found] = await ctx.app.prisma.$queryRaw<Pick<Found, 'createdAt'>[]>`
    SELECT created_at AS "createdAt" FROM idempotency_records
    WHERE company_id = ${ctx.companyId} AND principal_id = ${ownerOf(ctx)} AND key = ${request.key}`;
  return found !== undefined && !isOver(ctx, found);
}

/** Compared here: as a condition it would have PostgreSQL read all that is younger, by the index of that, while there is little. */
function isOver(ctx: Context, { createdAt }: Pick<Found, 'createdAt'>): boolean {
  return createdAt.getTime() <= ctx.now().getTime() - retention;
}

/** Stores the answer in the same transaction as the effect. Only successes get here: an error rolls back. */
export function storeResponse(ctx: Context, value: unknown): Prisma.Sql[] {
  const request = ctx.idempotency;
  if (!request) return [];
  const response = request.serialize(value);
  request.response = response;
  const headers = JSON.stringify(response.headers);
  return [
    Prisma.sql`
      INSERT INTO idempotency_records (principal_id, key, company_id, fingerprint, status, headers, body, created_at)
      VALUES (${ownerOf(ctx)}, ${request.key}, ${ctx.companyId}, ${request.fingerprint}, ${response.status},
        ${headers}::jsonb, ${Buffer.from(response.body)}, ${ctx.now()})
      ON CONFLICT (company_id, principal_id, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, status = excluded.status,
        headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`,
  ];
}

/** Deletes answers past their retention, a thousand at a time, so that no request waits for it. */
export async function purgeIdempotencyRecords(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retention);
  let total = 0;
  for (;;) {
    const deleted = await db.$executeRaw`
      DELETE FROM idempotency_records WHERE (company_id, principal_id, key) IN (
        SELECT company_id, principal_id, key FROM idempotency_records WHERE created_at <= ${before}
        ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED)`;
    total += deleted;
    if (deleted < 1000) return total;
  }
}

function ownerOf(ctx: Context): string {
  const { id } = ctx.principal;
  if (id === null) throw new Error('Only a key or a user can have idempotency keys.');
  return id;
}
