/** Shortest password, in characters; there is no other rule. */
export const passwordMinLength = 10;
/** Longest password, in characters: more than anyone types, less than a denial of service. */
export const passwordMaxLength = 1024;

/** What is wrong with a new password, or undefined. */
export function passwordProblem(password: string): string | undefined {
  if (!password.isWellFormed()) return 'The password is not valid Unicode text.';
  const length = [...password].length;
  if (length < passwordMinLength) return `The password needs at least ${passwordMinLength} characters.`;
  if (length > passwordMaxLength) return `The password can have at most ${passwordMaxLength} characters.`;
  return undefined;
}
