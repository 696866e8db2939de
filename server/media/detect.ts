import { createReadStream } from 'node:fs';
import { fileTypeFromFile } from 'file-type';
import { mediaTypes } from '../../schema/media.ts';
import type { Upload } from '../platform/upload.ts';
import { typeOfCompoundFile, zipHasMacros } from './office.ts';

/** Names that browsers and programs have for the types of the list. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/aacp': 'audio/aac',
  'audio/opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'audio/3gpp': 'video/3gpp',
  'application/csv': 'text/csv',
  'application/x-pdf': 'application/pdf',
};

/** Declared by clients that don't know. */
const undeclared = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/**
 * The type of an upload, decided by its content and allowed by the list; undefined when it is neither what the client
 * declared nor a type that may be sent.
 */
export async function detectType(upload: Upload): Promise<string | undefined> {
  const declared = aliases[upload.declaredType] ?? upload.declaredType;
  const found = await contentType(upload, declared);
  if (found === undefined || !Object.hasOwn(mediaTypes, found)) return undefined;
  return undeclared.has(declared) || declared === found || sameFile(declared, found) ? found : undefined;
}

async function contentType(upload: Upload, declared: string): Promise<string | undefined> {
  const found = await fileTypeFromFile(upload.path);
  if (!found) return (await isText(upload.path)) ? textType(upload, declared) : undefined;
  const mime = found.mime.toLowerCase();
  if (mime === 'application/x-cfb') return typeOfCompoundFile(upload.path);
  if (mime.startsWith('application/vnd.openxmlformats-')) {
    return (await zipHasMacros(upload.path)) ? undefined : mime;
  }
  // Of what an Ogg file can hold, only Opus is played on phones.
  if (mime.startsWith('audio/ogg')) return /opus/.test(mime) ? 'audio/ogg' : undefined;
  return aliases[mime] ?? mime;
}

/**
 * An MP4 without pictures is sound; which of the two it is stands deeper than its first bytes. And browsers on
 * machines with Excel call a table its file.
 */
function sameFile(declared: string, found: string): boolean {
  return (
    (declared === 'audio/mp4' && found === 'video/mp4') ||
    (declared === 'application/vnd.ms-excel' && found === 'text/csv')
  );
}

/** Text has no signature: what it is called says whether it is a table. */
function textType({ filename = '' }: Upload, declared: string): string | undefined {
  if (declared === 'text/csv' || declared === 'text/plain') return declared;
  if (/\.csv$/i.test(filename)) return 'text/csv';
  return /\.txt$/i.test(filename) ? 'text/plain' : undefined;
}

/** What a browser could take for a page, a picture or a program, whatever it is called. */
const markup =
  /^\s*(<(!doctype|!--|\?|(html|head|body|svg|script|style|iframe|img|xml|table|div|p|a|b|h1|title|meta)\b)|#!)/i;

/** Whether a file is UTF-8 text without U+0000, and no markup. */
async function isText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let first = true;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (chunk.includes(0)) return false;
      const text = decoder.decode(chunk, { stream: true });
      if (first && markup.test(text)) return false;
      first = false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
