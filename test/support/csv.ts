import type { Services } from '../../server/platform/services.ts';
import type { Context } from '../../server/platform/context.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import type { CsvSource } from '../../server/platform/csv-file.ts';
import type { ImportOptions, ImportResult } from '../../server/platform/csv-plan.ts';

/** A file to import, in chunks that fall anywhere, within characters too. */
export function file(content: string | Uint8Array, chunk = 1_021): CsvSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    async *read() {
      for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
    },
  };
}

type Import<O> = (ctx: Context, source: CsvSource, options?: O) => Promise<ImportResult>;

/** Imports a text; `rejected` is the file of refused rows. */
export async function importing<O extends ImportOptions>(
  app: Services,
  companyId: string,
  run: Import<O>,
  content: string | Uint8Array,
  options?: O,
): Promise<{ result: ImportResult; rejected: string }> {
  let rejected = '';
  const result = await run(await systemContext(app, companyId), file(content), {
    ...options,
    rejected: (text) => void (rejected += text),
  } as O);
  return { result, rejected };
}

export async function exporting(
  app: Services,
  companyId: string,
  run: (ctx: Context, filters: object) => AsyncIterable<string>,
  filters: object = {},
): Promise<string> {
  let text = '';
  for await (const part of run(await systemContext(app, companyId), filters)) text += part;
  return text;
}

export const counts = ({ rows, created, updated, skipped, failed }: ImportResult) => ({
  rows,
  created,
  updated,
  skipped,
  failed,
});
