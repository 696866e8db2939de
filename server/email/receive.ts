import type { AttachmentStream } from 'mailparser';
import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { EmailConfig } from '../../schema/email.ts';
import type { StoredLetter } from '../channels/adapter.ts';
import { normalAddress } from '../channels/email-address.ts';
import { ownIdIn } from '../channels/email-ids.ts';
import { findChannel } from '../channels/service.ts';
import { receiveMessage } from '../messages/inbound.ts';
import { applyStatus } from '../messages/status.ts';
import type { Context } from '../platform/context.ts';
import type { JobData } from '../platform/jobs.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { inUnitOfWork } from '../platform/unit-of-work.ts';
import { Attachments } from './attachments.ts';
import { isReport, isReportPart, readReport, type ReportPart } from './bounce.ts';
import { BrokenLetter } from './broken-letter.ts';
import type { Letter, LetterHead } from './letter.ts';
import { messagesOf, providerIdOf } from './messages.ts';

const reportPartMaximum = 65_536;

/** Works on the mails that came in. */
export async function workOnEmail(app: Services): Promise<void> {
  await app.jobs.work('email.received', (data) => receiveLetter(app, data), { concurrency: 2 });
}

/** Takes in one mail. It stays in the store where it became a message; of a report or a second copy nothing stays. */
async function receiveLetter(
  app: Services,
  { companyId, channelId, letter: stored }: JobData['email.received'],
): Promise<void> {
  await asSystem(app, companyId, async (ctx) => {
    const channel = await findChannel(ctx, channelId);
    const kept = channel?.kind === 'email' && (await takeIn(ctx, channel, stored));
    if (!kept) await app.storage.remove(stored.key);
  });
}

/** @returns whether messages were made of it */
async function takeIn(ctx: Context, channel: ChannelRow, stored: StoredLetter): Promise<boolean> {
  const attachments = new Attachments(ctx.app);
  const parts: ReportPart[] = [];
  const wanted = new Map<LetterHead, Promise<boolean>>();
  const letter = await read(ctx, stored, async (part, head) => {
    const contentType = part.contentType.toLowerCase();
    if (isReport(head)) {
      if (isReportPart(contentType)) parts.push({ contentType, content: await beginningOf(part) });
      return;
    }
    const want = wanted.get(head) ?? isNew(ctx, channel, head, stored);
    wanted.set(head, want);
    if (await want) await attachments.take(part);
  });
  if (!letter) return false;
  if (isReport(letter)) {
    await applyReport(ctx, channel, letter, parts);
    return false;
  }
  if (!(await isNew(ctx, channel, letter, stored))) return false;
  await settleAnswered(ctx, channel, letter);
  let arrived = false;
  for (const { message, fetched } of messagesOf(letter, stored, attachments)) {
    const arrival = await inUnitOfWork(ctx, (work) => receiveMessage(work, channel, message, fetched));
    arrived ||= arrival !== null;
  }
  if (!arrived) await attachments.discard();
  return arrived;
}

type Take = (part: AttachmentStream, head: LetterHead) => Promise<void>;

/** A mail that can't be read comes without its body, if it is known who wrote; null when it is not. */
async function read(ctx: Context, { key }: StoredLetter, take: Take): Promise<Letter | null> {
  try {
    // Its library is loaded by the first mail.
    const { readLetter } = await import('./letter.ts');
    return await readLetter(await ctx.app.storage.open(key), take);
  } catch (error) {
    if (!(error instanceof BrokenLetter)) throw error;
    ctx.log.warn({ err: error }, 'mail can’t be read');
    return error.head && { ...error.head, text: '[The mail can’t be read]' };
  }
}

/** Whether it is a customer's, and not here yet. What we sent ourselves comes back from lists and copies. */
async function isNew(
  ctx: Context,
  channel: ChannelRow,
  head: LetterHead,
  stored: StoredLetter,
): Promise<boolean> {
  const from = head.from && normalAddress(head.from.address);
  const { address } = EmailConfig.parse(channel.config);
  if (!from || from === normalAddress(address)) return false;
  const own = head.messageId === null ? null : ownIdIn(head.messageId);
  const known = await ctx.db.message.findFirst({
    where: {
      companyId: ctx.companyId,
      channelId: channel.id,
      OR: [{ providerId: providerIdOf(head, stored) }, ...(own === null ? [] : [{ id: own }])],
    },
    select: { extra: true, direction: true },
  });
  // The same letter again is a job that did not come to its end.
  return known === null || (known.direction === 'inbound' && letterIn(known.extra) === stored.key);
}

function letterIn(extra: unknown): unknown {
  return typeof extra === 'object' && extra !== null ? Reflect.get(extra, 'letter') : undefined;
}

/** Nobody answers a mail that was not sent: one whose server gave no answer was. */
async function settleAnswered(ctx: Context, channel: ChannelRow, { thread }: LetterHead): Promise<void> {
  const named = thread.flatMap((providerId) => {
    const reference = ownIdIn(providerId);
    return reference === null ? [] : [{ providerId, reference }];
  });
  if (named.length === 0) return;
  const unknown = await ctx.db.message.findMany({
    where: {
      companyId: ctx.companyId,
      channelId: channel.id,
      id: { in: named.map(({ reference }) => reference) },
      outcomeUnknown: true,
    },
    select: { id: true, failedAt: true },
  });
  for (const { id, failedAt } of unknown) {
    const providerId = named.find(({ reference }) => reference === id)?.providerId ?? id;
    const report = {
      providerId,
      reference: id,
      status: 'sent',
      at: failedAt ?? ctx.now(),
      failure: null,
    } as const;
    await inUnitOfWork(ctx, (work) => applyStatus(work, channel, report));
  }
}

async function applyReport(ctx: Context, channel: ChannelRow, letter: Letter, parts: ReportPart[]) {
  const report = readReport(letter, letter.text, parts, ctx.now());
  const known = report && (await inUnitOfWork(ctx, (work) => applyStatus(work, channel, report)));
  if (!known) ctx.log.info({ channel: channel.id }, 'report on no mail of ours');
}

async function beginningOf({ content }: AttachmentStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    if (size < reportPartMaximum) chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return Buffer.concat(chunks).subarray(0, reportPartMaximum).toString();
}
