import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const projectDir = path.resolve(import.meta.dirname, '../..');
const folder = path.join(projectDir, 'docs/reliability');

/** What must hold. */
export interface Statement {
  id: string;
  /** P: in every run of the tests. N: by `npm run faults`. R: before a release. */
  tier: 'P' | 'N' | 'R';
  says: string;
  /** The figure that is asked for. */
  figure: string;
  /** Why no test proves it in full, or at all. */
  open?: string;
}

export interface Section {
  section: string;
  statements: Statement[];
}

/** A run that reached a figure. */
export interface Run {
  figure: string;
  /** Whether it took the figures that are asked for, or small ones. */
  size: 'full' | 'small';
  seconds: number;
  /** Day of the run. */
  on: string;
}

/** A test whose title ends in the id. */
export interface Proof {
  file: string;
  title: string;
}

export const sections = read<Section[]>('statements.json');
export const statements = sections.flatMap((one) => one.statements);
/** The last three runs of each statement and size that were recorded. */
export const recorded = read<Record<string, Run[]>>('figures.json');

/** The tests that prove each statement, by the ids at the end of their titles: `… [I2]` or `… [S1, S3]`. */
export function proofs(): Map<string, Proof[]> {
  const found = new Map<string, Proof[]>();
  for (const file of globSync('test/**/*.test.ts', { cwd: projectDir }).sort()) {
    const text = readFileSync(path.join(projectDir, file), 'utf8');
    for (const [, , title = '', ids = ''] of text.matchAll(
      /(['"`])((?:(?!\1)[^\n])*) \[([A-Z]\d+(?:, [A-Z]\d+)*)\]\1/g,
    )) {
      for (const id of ids.split(', ')) found.set(id, [...(found.get(id) ?? []), { file, title }]);
    }
  }
  return found;
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as T;
}
