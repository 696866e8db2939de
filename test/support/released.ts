// `npm run released`, with each release: keeps what the API promises from now on in `schema/released.json`.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ApiDocument, promisesOf } from './api-promises.ts';

const schema = path.resolve(import.meta.dirname, '../../schema');
const document = JSON.parse(readFileSync(path.join(schema, 'openapi.json'), 'utf8')) as ApiDocument;
writeFileSync(path.join(schema, 'released.json'), `${JSON.stringify(promisesOf(document), null, 2)}\n`);
