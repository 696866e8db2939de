import type { AttachmentStream } from 'mailparser';
import { keepReceivedFile, type ReceivedFile } from '../media/receive.ts';
import type { Services } from '../platform/services.ts';

/** A part of a mail that is a file: kept, or of a type or size that is not. */
export interface Attachment {
  filename: string | null;
  mimeType: string;
  file: ReceivedFile | null;
}

/** Proofs of who wrote, which nobody reads. */
const signatures = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature)$/;
/** Files that are kept of one mail; the others are named only. */
const maximum = 30;
const named = 100;
/** Pictures of a pixel or two tell senders that a mail was opened; in pixels of both sides. */
const beaconSide = 2;

/** The files of one mail, in its order. */
export class Attachments {
  readonly #app: Services;
  readonly all: Attachment[] = [];
  #kept = 0;

  constructor(app: Services) {
    this.#app = app;
  }

  async take(part: AttachmentStream): Promise<void> {
    const filename = part.filename ?? null;
    const mimeType = part.contentType.toLowerCase();
    if (this.all.length >= named || signatures.test(mimeType)) return;
    const bytes = part.content as AsyncIterable<Uint8Array>;
    const wanted = this.#kept < maximum;
    const file = wanted
      ? await keepReceivedFile(this.#app, { bytes, mimeType, filename, sticker: false })
      : null;
    if (file && isBeacon(file)) {
      await this.#app.storage.remove(file.storageKey);
      return;
    }
    if (file) this.#kept++;
    this.all.push({ filename, mimeType, file });
  }

  /** Of a mail that nobody gets to see. */
  async discard(): Promise<void> {
    for (const { file } of this.all) if (file) await this.#app.storage.remove(file.storageKey);
  }
}

function isBeacon({ kind, width, height }: ReceivedFile): boolean {
  return kind === 'image' && (width ?? 0) <= beaconSide && (height ?? 0) <= beaconSide;
}
