import { z } from 'zod';
import { pathId, single } from './common.ts';

/** A contact by id, deleted ones too until they are erased. */
export const PersonPath = z.object({ contact: pathId });

/**
 * Everything that is kept about a person: the rows of each kind, as the database has them, without the company's id.
 * Dashboard and command line only.
 */
export const Person = z
  .record(z.string(), z.array(z.record(z.string(), z.json())))
  .meta({ id: 'Person', description: 'Rows by kind: contact, conversations, messages, orders and so on.' });
export type Person = z.infer<typeof Person>;

export const PersonBody = single(Person);
