import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { afterAll, describe, expect, it } from 'vitest';
import { momentOf } from '../../schema/common.ts';
import { readSignature } from '../../server/channels/email-webhook.ts';
import { parsePhone } from '../../server/contacts/phone.ts';
import { BrokenLetter } from '../../server/email/broken-letter.ts';
import { readLetter } from '../../server/email/letter.ts';
import { parseJson } from '../../server/http/json.ts';
import { readMultipart } from '../../server/http/multipart.ts';
import { readQuery } from '../../server/http/query.ts';
import { Keyring, newKey } from '../../server/platform/auth.ts';
import { Cursors } from '../../server/platform/cursor.ts';
import { AppError } from '../../server/platform/errors.ts';
import { readMessage } from '../../server/realtime/pusher-messages.ts';
import { reached } from '../support/reached.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import { bytesLike, slowestOf, textLike, tried, tries } from './bytes.ts';

const timeout = 120_000 + tries * 10;
/** Of what takes milliseconds each. */
const slowTries = Math.ceil(tries / 4);
const folder = mkdtempSync(path.join(tmpdir(), 'parlour-forms-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  // A parser that stops at some input has told which.
  reached('F12', `ten parsers, up to ${tries} inputs each: ${slowestOf()}`);
});

/** What a caller is told is fine; anything else is a fault of ours. */
function orRefused<T>(run: () => T, ...codes: string[]): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof AppError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

describe('whatever bytes come, they are read or refused [F12]', () => {
  it(
    'as a cursor',
    async () => {
      const cursors = new Cursors(randomBytes(32));
      const at = { value: '2026-01-01T00:00:00.000Z', id: '01JQZ7K3M9V5T2XH8C4B6N0DFG' };
      const good = cursors.encode(at, 'name', 'company');
      await tried(textLike(good), (text) => {
        const read = orRefused(() => cursors.decode(text, 'name', 'company'), 'validation_failed');
        if (read) expect(text).toBe(good);
      });
    },
    timeout,
  );

  it(
    'as a signature',
    async () => {
      const now = new Date('2026-03-01T09:30:00Z');
      const t = now.getTime() / 1_000;
      const good = `t=${t},v1=${'ab'.repeat(32)},v1=${'cd'.repeat(32)}`;
      await tried(textLike(good), (text) => {
        const read = readSignature(text, now);
        if (read) expect(Math.abs(Number(read.time) - t)).toBeLessThanOrEqual(300);
        expect(verifyWebhook(Buffer.from('{}'), text, 'whsec_secret', now.getTime())).toBe(false);
      });
    },
    timeout,
  );

  it(
    'as a key',
    async () => {
      const { key } = newKey('live');
      const notifications = { on: () => {}, onReset: () => {}, live: true, generation: 1 };
      const prisma = { apiKey: { findUnique: () => Promise.resolve(null) } };
      const keyring = new Keyring(prisma as never, { now: () => new Date() }, notifications as never);
      await tried(textLike(`Bearer ${key}`), async (text) => {
        expect(await keyring.authenticate([text])).toBeNull();
      });
    },
    timeout,
  );

  it(
    'as a phone number',
    async () => {
      await tried(textLike('+351 912 345 678', 'tel:+55 (11) 98765-4321', '00 44 20 7946 0000'), (text) => {
        for (const country of [undefined, 'BR', text.slice(0, 2)])
          expect(parsePhone(text, country)?.number ?? '+1').toMatch(/^\+\d{1,20}$/);
      });
    },
    timeout,
  );

  it(
    'as a moment',
    async () => {
      await tried(textLike('2026-03-01T09:30:00.123+02:00', '2026-03-01'), (text) => {
        const milliseconds = momentOf(text);
        if (!Number.isNaN(milliseconds)) expect(new Date(milliseconds).getTime()).toBe(milliseconds);
      });
    },
    timeout,
  );

  it(
    'as a JSON body',
    async () => {
      const good = '{"name":"Ana","items":[{"a":1,"b":[true,null,-1.5e3]}],"t":"\\u00e9\\"\\\\"}';
      await tried(bytesLike(good), (bytes) => {
        const value = orRefused(() => parseJson(bytes), 'bad_request');
        if (value !== undefined) expect(JSON.parse(bytes.toString())).toEqual(value);
      });
    },
    timeout,
  );

  it(
    'as a query',
    async () => {
      const coerce = new Map([
        ['limit', 'number'],
        ['blocked', 'boolean'],
      ] as const);
      await tried(textLike('?limit=10&blocked=true&q=a%20b&cursor=x', '?__proto__=1&a[b]=c'), (text) => {
        orRefused(() => readQuery(text, coerce), 'bad_request');
        expect(Reflect.get({}, '1')).toBeUndefined();
      });
    },
    timeout,
  );

  it(
    'as a message of a Pusher client',
    async () => {
      const data = '{"channel":"private-company.x","auth":"key:signature"}';
      await tried(
        textLike(`{"event":"pusher:subscribe","data":${data}}`, JSON.stringify({ event: 'x', data })),
        (text) => {
          expect(Object.keys(readMessage(text)).sort()).toEqual(['channel', 'data', 'event', 'fields']);
        },
      );
    },
    timeout,
  );

  it(
    'as a form',
    async () => {
      const part =
        'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain';
      const good = `--x\r\n${part}\r\n\r\nhello\r\n--x\r\nContent-Disposition: form-data; name="kind"\r\n\r\nsticker\r\n--x--\r\n`;
      await tried(
        bytesLike(good),
        async (bytes) => {
          const headers = { 'content-type': 'multipart/form-data; boundary=x' };
          const request = Object.assign(Readable.from([bytes], { objectMode: false }), {
            headers,
            complete: true,
          });
          const response = { setHeader: () => {} };
          const options = { folder, maximum: 1_000 };
          const read = readMultipart(request as unknown as Request, response as unknown as Response, options);
          const form = await read.catch((error: unknown) => {
            expect(error).toBeInstanceOf(AppError);
            expect((error as AppError).status).toBeLessThan(500);
          });
          await form?.upload?.discard();
        },
        slowTries,
      );
      expect(readdirSync(folder)).toEqual([]);
    },
    timeout,
  );

  it(
    'as a mail',
    async () => {
      const head =
        'From: Ana <ana@example.com>\r\nTo: help@example.com\r\nSubject: =?utf-8?B?T2zDoQ==?=\r\nMessage-ID: <1@x>';
      const mixed = `${head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Ol=C3=A1</p>\r\n--b\r\nContent-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8=\r\n--b--\r\n`;
      await tried(
        bytesLike(`${head}\r\n\r\nHello\r\n`, mixed),
        async (bytes) => {
          const letter = await readLetter(Readable.from([bytes]), async (attached) => {
            attached.content.resume();
          }).catch((error: unknown) => expect(error).toBeInstanceOf(BrokenLetter));
          if (letter) expect(typeof letter.text).toBe('string');
        },
        slowTries,
      );
    },
    timeout,
  );
});
