import { z } from 'zod';
import { single, text } from './common.ts';
import { textMaximum } from './messages.ts';

export const rewritings = ['shorter', 'friendlier', 'translation'] as const;

/** A draft to be written anew. Dashboard only. */
export const DraftRewrite = z.object({
  text: text(textMaximum, 1),
  as: z.enum(rewritings),
  language: text(35, 2)
    .refine((value) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(value))
    .optional()
    .meta({ description: 'BCP 47, such as pt-BR. Of a translation; the company’s language unless given.' }),
});

/** `available` false: there is no provider, or it gave no answer. */
export const CopilotBody = single(z.strictObject({ available: z.boolean(), text: z.string().nullable() }));
