import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

type Bytes = Buffer;

/** A picture of one colour. */
export function picture(format: 'jpeg' | 'png' | 'webp', size = 8): Promise<Bytes> {
  return sharp({ create: { width: size, height: size, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer();
}

/** A PNG header that claims so many pixels, with almost no bytes. */
export function pngBomb(width: number, height: number): Bytes {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const line = Buffer.alloc(width + 1);
  const body = deflateSync(Buffer.concat(Array.from({ length: Math.min(height, 2_000) }, () => line)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Bytes): Bytes {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(4);
  ends.writeUInt32BE(crc32(body));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, body, ends]);
}

/** A zip that stores its files as they are. */
export function zip(files: Record<string, string>): Bytes {
  const locals: Bytes[] = [];
  const directory: Bytes[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), common, path, data);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), common, more, path);
    offset += 30 + path.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

const office = {
  word: ['word/document.xml', 'wordprocessingml.document'],
  sheet: ['xl/workbook.xml', 'spreadsheetml.sheet'],
  slides: ['ppt/presentation.xml', 'presentationml.presentation'],
} as const;

/** An Office file of the newer kind; `extra` adds files to it. */
export function officeFile(kind: keyof typeof office, extra: Record<string, string> = {}): Bytes {
  const [part, type] = office[kind];
  const content = `application/vnd.openxmlformats-officedocument.${type}.main+xml`;
  return zip({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/${part}" ContentType="${content}"/></Types>`,
    '_rels/.rels': '<Relationships/>',
    [part]: '<document/>',
    ...extra,
  });
}

/** An Office file of the older kind, with streams of these names. */
export function compoundFile(...names: string[]): Bytes {
  const header = Buffer.alloc(512);
  header.set(Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(1, 48);
  header.fill(0xff, 76);
  header.writeUInt32LE(0, 76);
  const table = Buffer.alloc(512, 0xff);
  table.writeUInt32LE(0xfffffffd, 0);
  table.writeUInt32LE(0xfffffffe, 4);
  const directory = Buffer.alloc(512);
  for (const [place, name] of ['Root Entry', ...names].entries()) {
    directory.write(name, place * 128, 'utf16le');
    directory.writeUInt16LE((name.length + 1) * 2, place * 128 + 64);
  }
  return Buffer.concat([header, table, directory]);
}

/** A second of silence. */
export function oggOpus(): Bytes {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 'latin1');
  head.set([1, 1], 8);
  head.writeUInt32LE(48_000, 12);
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)]);
  const sound = Buffer.from([0xf8, 0xff, 0xfe]);
  return Buffer.concat([oggPage(head, 0n, 2, 0), oggPage(tags, 0n, 0, 1), oggPage(sound, 48_000n, 4, 2)]);
}

export function oggPage(packet: Bytes, position: bigint, flags: number, sequence: number): Bytes {
  const header = Buffer.alloc(28);
  header.write('OggS', 'latin1');
  header[5] = flags;
  header.writeBigUInt64LE(position, 6);
  header.writeUInt32LE(1, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = 1;
  header[27] = packet.length;
  return Buffer.concat([header, packet]);
}

/** An MP4 of so many seconds, with a track of pictures or of sound. */
export function mp4(brand: string, handler: 'vide' | 'soun', seconds: number): Bytes {
  const box = (type: string, ...parts: Bytes[]) => {
    const data = Buffer.concat(parts);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length + 8);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data]);
  };
  const header = (size: number, set: (b: Bytes) => void) => {
    const b = Buffer.alloc(size);
    set(b);
    return b;
  };
  const times = (size: number) =>
    header(size, (b) => {
      b.writeUInt32BE(1_000, 12);
      b.writeUInt32BE(seconds * 1_000, 16);
    });
  const entry = header(handler === 'vide' ? 78 : 28, (b) => {
    b.writeUInt16BE(1, 6);
    if (handler === 'vide') {
      b.writeUInt16BE(320, 24);
      b.writeUInt16BE(240, 26);
    } else {
      b.writeUInt16BE(2, 16);
      b.writeUInt16BE(16, 18);
      b.writeUInt32BE(44_100 * 65_536, 24);
    }
  });
  const stsd = box(
    'stsd',
    header(8, (b) => b.writeUInt32BE(1, 4)),
    box(handler === 'vide' ? 'avc1' : 'mp4a', entry),
  );
  const empty = (type: string, size: number) => box(type, Buffer.alloc(size));
  const table = box('stbl', stsd, empty('stts', 8), empty('stsc', 8), empty('stsz', 12), empty('stco', 8));
  const media = box(
    'mdia',
    box('mdhd', times(24)),
    box(
      'hdlr',
      header(24, (b) => b.write(handler, 8, 'latin1')),
    ),
    box('minf', table),
  );
  const track = box(
    'trak',
    box(
      'tkhd',
      header(84, (b) => b.writeUInt32BE(1, 12)),
    ),
    media,
  );
  const movie = box('moov', box('mvhd', times(100)), track);
  return Buffer.concat([
    box('ftyp', Buffer.from(brand, 'latin1'), Buffer.alloc(4), Buffer.from(brand, 'latin1')),
    movie,
    box('mdat', Buffer.alloc(16)),
  ]);
}
