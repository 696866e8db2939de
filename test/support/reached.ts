import { appendFileSync } from 'node:fs';

/**
 * Tells the run which figure a test has reached for a statement of `docs/reliability/statements.json`.
 * The table at the end of `npm run faults` shows it; with RECORD=1 it is kept in `docs/reliability/figures.json`.
 * @param figure in words, with its numbers: "10,000 operations, 0 lost"
 */
export function reached(id: string, figure: string): void {
  const file = process.env['REACHED_FILE'];
  if (file) appendFileSync(file, `${JSON.stringify({ id, figure })}\n`);
}
