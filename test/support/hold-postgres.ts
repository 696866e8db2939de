/* Run as a process of its own: uses the embedded database of the given folder until told to stop. */
import { once } from 'node:events';
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts';

const dataDir = process.argv[2];
if (!dataDir) throw new Error('Give the data folder.');
const { url, startedByUs, stop } = await startEmbeddedPostgres({ dataDir });
process.stdout.write(`${JSON.stringify({ url, startedByUs })}\n`);
await once(process.stdin, 'data');
await stop();
process.exit(0);
