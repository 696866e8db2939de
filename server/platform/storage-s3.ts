import { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { S3Driver } from 'flydrive/drivers/s3';
import type { Place } from './storage.ts';

/** A bucket of a store that speaks S3, and the folder in it that the path names after it. */
export function bucket(text: string): Place {
  const url = new URL(text.replace(/^s3:/, 'https:'));
  const [name = '', ...below] = decodeURIComponent(url.pathname).split('/').filter(Boolean);
  const client = new S3Client({
    endpoint: `${url.protocol}//${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    forcePathStyle: true,
    credentials: {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    },
    // Stores that are only compatible don't know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    location: null,
    driver: new S3Driver({ client, bucket: name, visibility: 'private', supportsACL: false }),
    prefix: below.map((part) => `${part}/`).join(''),
    async openRange(key, { start, end }) {
      const answer = await client.send(
        new GetObjectCommand({ Bucket: name, Key: key, Range: `bytes=${start}-${end}` }),
      );
      if (!(answer.Body instanceof Readable)) throw new Error('The store answered without a body.');
      return answer.Body;
    },
  };
}
