import { type FileHandle, open } from 'node:fs/promises';

/** Types of Microsoft's older compound files, by the stream that only they have. */
const streams: readonly [RegExp, string][] = [
  [/^WordDocument$/, 'application/msword'],
  [/^(Workbook|Book)$/, 'application/vnd.ms-excel'],
  [/^PowerPoint Document$/, 'application/vnd.ms-powerpoint'],
];
const macros = /^(_VBA_PROJECT(_CUR)?|VBA|Macros)$/;

const headerSize = 512;
const entrySize = 128;
/** Sectors of the directory that are read: 1 MiB of it. A chain may be a ring. */
const maximumSectors = 2_048;

/**
 * What a compound file (doc, xls, ppt) is, read off the names in its directory. Undefined for anything else of that
 * format, and for one with macros.
 */
export async function typeOfCompoundFile(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const names = await directoryOf(file);
    if (names.some((name) => macros.test(name))) return undefined;
    return streams.find(([stream]) => names.some((name) => stream.test(name)))?.[1];
  } finally {
    await file.close();
  }
}

async function directoryOf(file: FileHandle): Promise<string[]> {
  const header = await bytesAt(file, 0, headerSize);
  if (header.length < headerSize) return [];
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return [];
  const size = 1 << shift;
  const names: string[] = [];
  let sector = header.readUInt32LE(48);
  for (let read = 0; read < maximumSectors && sector < 0xfffffffa; read++) {
    names.push(...namesIn(await bytesAt(file, (sector + 1) * size, size)));
    // The table that says which sector follows is itself in sectors, of which the header names the first 109.
    const place = Math.floor((sector * 4) / size);
    if (place >= 109) break;
    const table = header.readUInt32LE(76 + place * 4);
    const next = await bytesAt(file, (table + 1) * size + ((sector * 4) % size), 4);
    if (next.length < 4) break;
    sector = next.readUInt32LE(0);
  }
  return names;
}

function namesIn(sector: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + entrySize <= sector.length; at += entrySize) {
    const length = sector.readUInt16LE(at + 64);
    if (length >= 2 && length <= 64) names.push(sector.toString('utf16le', at, at + length - 2));
  }
  return names;
}

/** Longest comment behind a zip's directory, and its fixed part. */
const zipTail = 65_535 + 22;

/** Whether a zip holds macros: an Office file of the newer kind that says it has none may have them all the same. */
export async function zipHasMacros(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - zipTail);
    const tail = await bytesAt(file, start, size - start);
    const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    if (end === -1 || end + 22 > tail.length) return true;
    const directory = await bytesAt(
      file,
      tail.readUInt32LE(end + 16),
      Math.min(tail.readUInt32LE(end + 12), 4 << 20),
    );
    return /vba(Project|Data)|activeX|macrosheets/i.test(directory.toString('latin1'));
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
