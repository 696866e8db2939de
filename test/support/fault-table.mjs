import fs from 'node:fs';
import path from 'node:path';

/** Runs of a statement that are kept, of each size. */
const kept = 3;

/**
 * What came of each statement in a run: one row for each id that titles of tests, or of what they stand in, end in.
 * @param results vitest's JSON report
 * @param {string} reachedFile what `reached` of `test/support/reached.ts` has written
 */
export function rowsOf(results, reachedFile) {
  const lines = fs.existsSync(reachedFile) ? fs.readFileSync(reachedFile, 'utf8').trim().split('\n') : [];
  const figures = new Map(
    lines.filter(Boolean).map((line) => Object.values(JSON.parse(line)).map(String).slice(0, 2)),
  );
  const rows = new Map();
  for (const { assertionResults } of results.testResults) {
    for (const { ancestorTitles, title, status, duration } of assertionResults) {
      const verdict = status === 'passed' ? 'holds' : status;
      for (const id of idsOf([...ancestorTitles, title])) {
        const before = rows.get(id);
        rows.set(id, {
          id,
          figure: figures.get(id) ?? '–',
          verdict: before ? worse(before.verdict, verdict) : verdict,
          seconds: Math.round(((before?.seconds ?? 0) + (duration ?? 0) / 1000) * 10) / 10,
        });
      }
    }
  }
  return [...rows.values()];
}

/** Of several tests each must hold; one that a run left out says nothing. */
function worse(one, other) {
  const [left, holds] = ['skipped', 'holds'];
  return one === left || (one === holds && other !== left) ? other : one;
}

function idsOf(titles) {
  return titles.flatMap((title) => / \[([A-Z]\d+(?:, [A-Z]\d+)*)\]$/.exec(title)?.[1]?.split(', ') ?? []);
}

/** The summary that ends `npm run faults`. */
export function table(rows) {
  const cells = [
    ['id', 'figure', 'verdict', 'seconds'],
    ...rows.map(({ id, figure, verdict, seconds }) => [id, figure, verdict, String(seconds)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column].length)));
  return cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  ')).join('\n');
}

/**
 * Keeps the figures of what held in `docs/reliability/figures.json`, the last three runs of each statement and size.
 * @param {'full' | 'small'} size which figures the run took (`scaled` of `test/support/scale.ts`)
 */
export function record(rows, size, projectDir) {
  const file = path.join(projectDir, 'docs/reliability/figures.json');
  const known = JSON.parse(fs.readFileSync(file, 'utf8'));
  const on = new Date().toISOString().slice(0, 10);
  for (const { id, figure, verdict, seconds } of rows) {
    if (verdict !== 'holds' || figure === '–') continue;
    const runs = [...(known[id] ?? []), { figure, size, seconds, on }];
    const full = runs.filter((run) => run.size === 'full').slice(-kept);
    known[id] = [...runs.filter((run) => run.size === 'small').slice(-kept), ...full];
  }
  fs.writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
}
