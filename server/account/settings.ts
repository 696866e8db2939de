import { z } from 'zod';
import { issue } from '../../schema/common.ts';
import { passwordProblem } from './password.ts';

/** A new password: at least 10 characters. */
export const password = z.string().superRefine((value, context) => {
  const problem = passwordProblem(value);
  if (problem) context.addIssue(issue('min', problem));
});
