import { t } from '@lingui/core/macro';
import type { requestSurfaces } from '../../../schema/words.ts';
import type { Tone } from '../app/status.tsx';

export const surfaceNames: Record<(typeof requestSurfaces)[number], string> = {
  rest: 'REST',
  trpc: 'tRPC',
  graphql: 'GraphQL',
  get uploads() {
    return t`Upload`;
  },
  get csv() {
    return t`CSV file`;
  },
};

/** GraphQL answers 200 with errors inside, so the code counts too. */
export function toneOf(status: number, code: string | null): Tone {
  if (status >= 500 || code === 'server_error') return 'bad';
  return status >= 400 || code !== null ? 'warning' : 'good';
}
