import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { type Upload, writeFile } from '../platform/upload.ts';
import { cleanFilename } from './filename.ts';
import { type Inspected, inspect } from './inspect.ts';
import { extensionOf, keyFor } from './naming.ts';
import { recordMedia } from './record.ts';

/** A customer's file: looked at and stored, but not yet of any message. */
export interface ReceivedFile extends Inspected {
  storageKey: string;
  filename: string;
}

interface Incoming {
  bytes: AsyncIterable<Uint8Array>;
  mimeType: string;
  filename: string | null;
  sticker: boolean;
}

/**
 * Stores a file that a customer sent, under the rules of uploads.
 * @returns null for a file that is too large, broken or of a type that is not allowed
 */
export async function keepReceivedFile(app: Services, file: Incoming): Promise<ReceivedFile | null> {
  const folder = path.join(app.config.dataDir, 'uploads');
  const upload = await write(folder, file, app.config.mediaMaxBytes);
  if (!upload) return null;
  try {
    const facts = await inspect(upload, file.sticker ? 'sticker' : undefined);
    const storageKey = keyFor(app.clock.now());
    await app.storage.keep(upload.path, storageKey, { type: facts.mimeType, size: facts.size });
    const filename = cleanFilename(file.filename ?? undefined, extensionOf(facts.mimeType));
    return { ...facts, storageKey, filename };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  } finally {
    await upload.discard();
  }
}

async function write(folder: string, file: Incoming, most: number): Promise<Upload | null> {
  await mkdir(folder, { recursive: true });
  const facts = { filename: file.filename ?? undefined, declaredType: file.mimeType };
  try {
    return await writeFile(file.bytes, path.join(folder, randomUUID()), most, facts);
  } catch (error) {
    if (error instanceof AppError && error.code === 'payload_too_large') return null;
    throw error;
  }
}

/** Makes the row that a message refers to; of a customer's file, so it stays. */
export async function recordReceivedFile(ctx: WorkContext, file: ReceivedFile): Promise<string> {
  const { id } = await recordMedia(ctx, { ...file, uploadedById: null, lifetimeHours: null });
  return id;
}
