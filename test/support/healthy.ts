import { expect } from 'vitest';
import { examine } from '../../server/doctor/examine.ts';

/** The doctor finds nothing in the database; what it finds is shown. */
export async function expectHealthy(databaseUrl: string): Promise<void> {
  const findings = await examine(databaseUrl);
  expect(findings.filter(({ count }) => count > 0)).toEqual([]);
}
