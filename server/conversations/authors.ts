import type { Author, AuthorType } from '../../schema/entries.ts';
import type { Context } from '../platform/context.ts';

/** Somebody who writes or acts, as rows keep them. */
export interface StoredAuthor {
  type: AuthorType;
  /** Id of the contact, user, key or campaign. */
  id: string | null;
  name: string | null;
  email: string | null;
}

/** What the house does by itself, as the company has told it to. */
export const automation: StoredAuthor = { type: 'automation', id: null, name: 'Automation', email: null };

/** The acting user; with a key, its user and the key's name: `Ana (API: Zapier)`. */
export function authorOf({ principal }: Pick<Context, 'principal'>): StoredAuthor {
  const { kind, id, name, user } = principal;
  const email = user?.email ?? null;
  if (kind === 'user') return { type: 'agent', id: user?.id ?? id, name: user?.name ?? name, email };
  if (kind === 'api_key') return { type: 'api', id, name: `${user?.name ?? 'Nobody'} (API: ${name})`, email };
  return { type: 'system', id: null, name, email: null };
}

/** What the public sees of an author: no ids. */
export function presentAuthor({ type, name, email }: Author | StoredAuthor): Author {
  return { type, name, email };
}
