import { z } from 'zod';
import type { Media as MediaRow } from '../../prisma/generated/client/client.ts';
import { issue } from '../../schema/common.ts';
import { MediaUploadFields, unusedMediaHours } from '../../schema/media.ts';
import type { Context } from '../platform/context.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { Upload } from '../platform/upload.ts';
import { cleanFilename } from './filename.ts';
import { type Inspected, inspect } from './inspect.ts';
import { extensionOf, keyFor } from './naming.ts';
import { recordMedia } from './record.ts';

/** Where an upload's bytes lie, between being stored and being recorded. */
interface Kept extends Inspected {
  storageKey: string;
}

const kept = new WeakMap<Upload, Kept>();

const binary = { override: { type: 'string', format: 'binary' } } as const;

const file = z
  .custom<Upload>()
  .meta(binary)
  .superRefine((value, context) => {
    if (value instanceof Upload) return;
    if (value === undefined) context.addIssue(issue('required', 'Send a file, as multipart/form-data.'));
    else context.addIssue(issue('type', 'Must be a file, sent as multipart/form-data.'));
  })
  .meta({ ...binary, description: 'The file; its type is decided by content.' });

/**
 * Keeps an uploaded file. REST only: tRPC and GraphQL carry JSON. The bytes are looked at and stored before the
 * transaction; a test key's are looked at and forgotten.
 */
export const uploadMedia = mutation(
  {
    access: 'inbox.access',
    input: MediaUploadFields.extend({ file }),
    async prepare(ctx, { file: upload, kind }) {
      const facts = await inspect(upload, kind);
      if (facts.size > ctx.app.config.mediaMaxBytes) throw new AppError('payload_too_large');
      const storageKey = keyFor(ctx.now());
      kept.set(upload, { ...facts, storageKey });
      if (!ctx.principal.livemode) return { undo: async () => undefined };
      await ctx.app.storage.keep(upload.path, storageKey, { type: facts.mimeType, size: facts.size });
      return { undo: () => ctx.app.storage.remove(storageKey) };
    },
  },
  async (ctx, { file: upload, filename }): Promise<MediaRow> => {
    const facts = kept.get(upload);
    if (!facts) throw new Error('The upload was not prepared.');
    return recordMedia(ctx, {
      ...facts,
      filename: cleanFilename(filename ?? upload.filename, extensionOf(facts.mimeType)),
      uploadedById: ctx.principal.user?.id ?? null,
      lifetimeHours: unusedMediaHours,
    });
  },
);

/** The own, still served file that a URL of ours names, or null. No other URL is ever fetched. */
export async function findMediaByUrl(ctx: Context, url: string): Promise<MediaRow | null> {
  const base = `${ctx.app.publicUrl()}/media/`;
  const token = url.startsWith(base) ? /^[\w-]{22}(?=\/|$)/.exec(url.slice(base.length))?.[0] : undefined;
  if (token === undefined) return null;
  const row = await ctx.db.media.findFirst({ where: { companyId: ctx.companyId, urlToken: token } });
  return row && isServed(row, ctx.now()) ? row : null;
}

/**
 * The file that `param` names, kept for good from now on.
 * @throws AppError `validation_failed`, code `unknown_id`, unless it is an upload of this company
 */
export async function useMedia(ctx: WorkContext, url: string, param = 'media_url'): Promise<MediaRow> {
  const row = await findMediaByUrl(ctx, url);
  const used =
    row &&
    (await ctx.db.media.updateMany({
      where: {
        companyId: ctx.companyId,
        id: row.id,
        erasedAt: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: ctx.now() } }],
      },
      data: { expiresAt: null },
    }));
  if (!row || used?.count !== 1) {
    throw invalidField(param, 'unknown_id', 'Must be a URL that POST /media returned to this company.');
  }
  return { ...row, expiresAt: null };
}

/** Whether a file's URL still answers. */
export function isServed(row: Pick<MediaRow, 'erasedAt' | 'expiresAt'>, now: Date): boolean {
  return row.erasedAt === null && (row.expiresAt === null || row.expiresAt > now);
}
