import { z } from 'zod';
import { idOut, list, single } from './common.ts';

/** How one AI message was found. Source: API document, "AI feedback row"; decisions §11. */
export const AiFeedback = z
  .strictObject({
    message_id: idOut,
    feedback_id: idOut,
    rating: z.enum(['up', 'down', 'none']),
  })
  .meta({ id: 'AiFeedback' });
export type AiFeedback = z.infer<typeof AiFeedback>;

/** 1 is up, −1 is down. */
export const AiRate = z.object({
  rating: z.union([z.literal([1, -1]), z.enum(['1', '-1'])]).meta({
    description: '1 for up, -1 for down; the rating that is active already clears it.',
  }),
});

export const AiFeedbackList = list(AiFeedback);
export const AiRatingBody = single(z.strictObject({ rating: z.int().min(-1).max(1).nullable() }));
