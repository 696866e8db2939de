import { rename, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parseFile } from 'music-metadata';
import pLimit from 'p-limit';
import sharp, { type Sharp } from 'sharp';
import { type MediaKind, mediaLimits, mediaTypes } from '../../schema/media.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import type { Upload } from '../platform/upload.ts';
import { detectType } from './detect.ts';

/** What is known of a file once it has been looked at. */
export interface Inspected {
  kind: MediaKind;
  mimeType: string;
  size: number;
  sha256: Buffer;
  width: number | null;
  height: number | null;
  durationMs: number | null;
}

/** Pixels over all frames; a small file can hold many. */
const maximumPixels = 25_000_000;
const decodes = pLimit(4);
const decodeSeconds = 10;

// Uploads are seen once: keeping decoded ones would only use memory.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decides the type by content and reads size and duration. An image that carries metadata, such as where it was
 * taken, is written anew without.
 * @throws AppError `validation_failed` with `media_unsupported`, or `payload_too_large` over the limit of its kind
 */
export async function inspect(upload: Upload, as: 'sticker' | undefined): Promise<Inspected> {
  const type = await detectType(upload);
  if (type === undefined)
    throw unsupported('The file is of no type that can be sent, or not what it says it is.');
  const kind = as === 'sticker' ? stickerOf(type) : mediaTypes[type];
  if (!kind) throw unsupported('The file is of no type that can be sent.');
  requireSize(upload.size, kind);
  const facts = { kind, mimeType: type, size: upload.size, sha256: upload.sha256 };
  if (kind === 'image' || kind === 'sticker') return { ...facts, ...(await inspectImage(upload, kind)) };
  if (kind === 'audio' || kind === 'video') return { ...facts, ...(await inspectSound(upload, type)) };
  return { ...facts, width: null, height: null, durationMs: null };
}

function stickerOf(type: string): 'sticker' {
  if (type !== 'image/webp') throw unsupported('A sticker is a WebP image.');
  return 'sticker';
}

function requireSize(size: number, kind: MediaKind): void {
  if (size > mediaLimits[kind]) {
    throw new AppError('payload_too_large', `The ${kind} is over ${mediaLimits[kind]} bytes.`, {
      param: 'file',
    });
  }
  if (size === 0) throw unsupported('The file is empty.');
}

async function inspectImage(upload: Upload, kind: MediaKind) {
  try {
    return await decodes(async () => {
      const options = { limitInputPixels: maximumPixels, failOn: 'truncated', animated: true } as const;
      const found = await sharp(upload.path, { ...options, limitInputPixels: false }).metadata();
      const frames = found.pages ?? 1;
      const height = found.pageHeight ?? found.height;
      if (found.width * height * frames > maximumPixels) throw unsupported('The image has too many pixels.');
      const image = sharp(upload.path, options).timeout({ seconds: decodeSeconds });
      const turned = (found.orientation ?? 1) > 1;
      const size =
        (found.orientation ?? 1) >= 5
          ? { width: height, height: found.width }
          : { width: found.width, height };
      const facts = { ...size, durationMs: null };
      if (!turned && !found.exif && !found.xmp && !found.iptc && !found.comments?.length) {
        // Decodes a thumbnail: all of the file is read, so one that is cut off or broken is found out.
        await image.resize(32).raw().toBuffer();
        return facts;
      }
      const clean = `${upload.path}.clean`;
      await written(image.autoOrient().keepIccProfile(), found.format).toFile(clean);
      await rename(clean, upload.path);
      const { size: bytes } = await stat(upload.path);
      requireSize(bytes, kind);
      return { ...facts, size: bytes, sha256: await digestOf(upload.path) };
    });
  } catch (error) {
    if (error instanceof AppError || isSystemError(error)) throw error;
    throw unsupported('The image is broken, or has too many pixels.');
  }
}

function written(image: Sharp, format: string | undefined): Sharp {
  if (format === 'png') return image.png();
  if (format === 'webp') return image.webp({ quality: 90, smartSubsample: true });
  return image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
}

async function inspectSound(upload: Upload, type: string) {
  const { format } = await parseFile(upload.path, { duration: true, skipCovers: true }).catch(
    (error: unknown) => {
      if (isSystemError(error)) throw error;
      throw unsupported('The recording is broken.');
    },
  );
  const soundOnly = type === 'video/mp4' && format.hasVideo === false;
  // The file's own duration is that of its sound; a silent video has only its track's.
  const seconds = format.duration ?? Math.max(0, ...format.trackInfo.map(({ duration }) => duration ?? 0));
  const picture = format.trackInfo.find(({ video }) => video?.pixelWidth)?.video;
  return {
    ...(soundOnly ? { kind: 'audio' as const, mimeType: 'audio/mp4' } : {}),
    width: picture?.pixelWidth ?? null,
    height: picture?.pixelHeight ?? null,
    durationMs: seconds > 0 ? Math.round(seconds * 1000) : null,
  };
}

async function digestOf(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest();
}

/** A full disk is no property of the file. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && /^E[A-Z]+$/.test(String(Reflect.get(error, 'code') ?? ''));
}

function unsupported(message: string): AppError {
  return invalidField('file', 'media_unsupported', message);
}
