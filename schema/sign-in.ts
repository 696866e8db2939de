import { z } from 'zod';
import { email, issue, text } from './common.ts';
import { passwordMaxLength, passwordProblem } from './passwords.ts';

/** A new password: at least 10 characters. */
export const newPassword = z.string().superRefine((value, context) => {
  const problem = passwordProblem(value);
  if (problem) context.addIssue(issue('min', problem));
});

/** A password that is asked for again: whatever was typed. */
const password = z.string().max(4 * passwordMaxLength);
/** Of a link: in its fragment, which browsers send nowhere. */
const token = text(200, 1);
const name = text(191, 1);

export const SignIn = z.object({ email: text(1000), password });
/** The second step where an account has one: a code of the app, or one of the recovery codes. */
export const SecondFactor = z.object({ code: text(40, 1) });
export const SetUp = z.object({
  company: name,
  name,
  email,
  password: newPassword,
  timezone: text(64).optional(),
  currency: text(3).optional(),
});
export const RecoveryRequest = z.object({ email });
export const Recovery = z.object({ token, password: newPassword });
export const InvitationToken = z.object({ token });
export const InvitationAcceptance = z.object({ token, name, password: newPassword });
export const PasswordChange = z.object({ current_password: password, password: newPassword });
export const PasswordAgain = z.object({ password });
/** The name is typed by whoever closes their company, so that nobody does it to another one. */
export const CompanyName = z.object({ name });
export const CompanyClosing = z.object({ name, password });
export const Nothing = z.object({});

/** What the sign-in page offers. */
export interface SignInState {
  /** No company yet: whoever comes first creates the Owner. */
  set_up: boolean;
  /** Whether mails are sent; else whoever runs the server finds the links in its log. */
  mail: boolean;
  /** The host at which passkeys work, or null where they can't. */
  passkeys: string | null;
  /** Logins of the demo company. */
  demo: { email: string; name: string; password: string; role: string }[];
}
