import type { IncomingMessage } from 'node:http';
import { invalidField } from '../platform/errors.ts';

/**
 * The Idempotency-Key header: 1 to 255 printable ASCII characters, once. Null when absent.
 * @throws AppError `validation_failed`
 */
export function idempotencyKey(request: IncomingMessage): string | null {
  const values = [...new Set(request.headersDistinct['idempotency-key'] ?? [])];
  const [key] = values;
  if (key === undefined) return null;
  if (values.length > 1) throw malformed('Must be sent once.');
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw malformed('Must be 1 to 255 printable ASCII characters.');
  return key;
}

function malformed(message: string) {
  return invalidField('Idempotency-Key', 'format', message);
}
