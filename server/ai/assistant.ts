import type { StoredAuthor } from '../conversations/authors.ts';

/** Who writes what AI writes, as rows keep it. */
export const assistant: StoredAuthor = { type: 'ai', id: null, name: 'Assistant', email: null };
