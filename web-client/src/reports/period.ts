const day = 86_400_000;

/** The periods that one click chooses, by their length in days. */
export const lengths = [7, 30, 90] as const;

/** The last so many days, today included, as dates here. */
export function lastDays(days: number): { from: string; to: string } {
  const today = new Date();
  return { from: dateOf(new Date(today.getTime() - (days - 1) * day)), to: dateOf(today) };
}

function dateOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
