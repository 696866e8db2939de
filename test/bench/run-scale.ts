import { existsSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Circumstances, circumstancesOf } from './circumstances.ts';
import { benchFolder, openBenchDatabase } from './database.ts';
import { type SizeName, sizes } from './dataset.ts';
import { table } from './report.ts';
import { growthOf, measureScale, type ScaleFigure } from './scale.ts';

/** Sizes of the data that are compared. */
const scaleSteps = ['20k', '200k', '1m'] as const satisfies SizeName[];
/** How much dearer a list may be. */
const goal = 1.2;
/** Bytes that a data set takes for each of its messages and conversations, and what is left to others. */
const disk = { each: 3_000, left: 20e9 };

/**
 * Measures the lists at each size that the disk has room for, and writes `scale.json`, `scale.md` and the plans.
 * @param told is told what is done
 */
export async function runScale(
  folder: string,
  told: (text: string) => void,
  steps: readonly SizeName[] = scaleSteps,
): Promise<void> {
  const figures: ScaleFigure[] = [];
  const notes: string[] = [];
  let circumstances: Circumstances | undefined;
  for (const step of steps) {
    const { conversations, messages } = sizes[step];
    const named = `${conversations.toLocaleString('en')} conversations with ${messages.toLocaleString('en')} messages`;
    if (!hasRoom(step)) {
      notes.push(`Not run for want of disk: ${named}.`);
      continue;
    }
    told(`Opening ${named} …`);
    const database = await openBenchDatabase(step, false, false);
    try {
      const found = await measureScale(database, conversations, path.join(folder, 'plans'));
      figures.push(...found);
      notes.push(`Run: ${named}.`);
      for (const { list, first, deep } of found)
        told(
          `${list.padEnd(24)} ${first.toFixed(2)} ms${deep === null ? '' : `, after 99 %: ${deep.toFixed(2)} ms`}`,
        );
      const none = { connections: 1, seconds: 0, rounds: 1, warmUp: 200 };
      circumstances = await circumstancesOf(database.url, named, none);
    } finally {
      await database.stop();
    }
  }
  if (circumstances) writeScale(folder, circumstances, notes, figures);
  for (const { list, size, depth, blocks } of growthOf(figures)) {
    const ofBlocks = `in blocks ${shown(blocks.size)}, ${shown(blocks.depth)}`;
    told(`${list.padEnd(24)} growth ${shown(size)}, depth ${shown(depth)}; ${ofBlocks}`);
  }
  told(notes.join('\n'));
}

/** What is made already needs no more. */
function hasRoom(step: SizeName): boolean {
  const root = benchFolder();
  if (existsSync(path.join(root, step, 'dataset.json'))) return true;
  mkdirSync(root, { recursive: true });
  const { bavail, bsize } = statfsSync(root);
  const { conversations, messages } = sizes[step];
  return bavail * bsize - (conversations + messages) * disk.each > disk.left;
}

/** Writes `scale.json` and `scale.md`. */
function writeScale(
  folder: string,
  circumstances: Circumstances,
  notes: readonly string[],
  figures: readonly ScaleFigure[],
): void {
  mkdirSync(folder, { recursive: true });
  const all = { circumstances, notes, figures, growth: growthOf(figures) };
  writeFileSync(path.join(folder, 'scale.json'), `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(path.join(folder, 'scale.md'), markdown(circumstances, notes, figures));
}

function shown(ratio: number | null): string {
  return ratio === null ? '–' : `${ratio.toFixed(2)}× ${ratio <= goal ? 'held' : 'missed'}`;
}

function markdown(at: Circumstances, notes: readonly string[], figures: readonly ScaleFigure[]): string {
  const rows = figures.map(({ list, conversations, first, deep, blocks }) => [
    list,
    conversations.toLocaleString('en'),
    first.toFixed(2),
    deep === null ? '–' : deep.toFixed(2),
    String(blocks.first),
    String(blocks.deep ?? '–'),
  ]);
  const growth = growthOf(figures).map(({ list, size, depth, blocks }) => [
    list,
    shown(size),
    shown(depth),
    shown(blocks.size),
    shown(blocks.depth),
  ]);
  return `# Lists as the data grows

Made by \`npm run bench -- --scale\` on ${at.date.slice(0, 10)}, of ${at.commit}: Node ${at.node}, PostgreSQL ${at.postgres}, ${at.machine}.
Pages of 25 over REST, one request after another, the middle of 200, in milliseconds. The plans, with
\`EXPLAIN (ANALYZE, BUFFERS)\`, are in [plans](plans). Milliseconds say as much of what else the machine did as of the
lists; blocks of 8 kB, as PostgreSQL reads them for a page, say the same on every machine. ${notes.join(' ')}

${table([['list', 'conversations', 'first page ms', 'page after 99 % ms', 'first page, blocks', 'after 99 %, blocks'], ...rows])}

Goal: the largest size at most ${goal}× the smallest, and the last pages at most ${goal}× the first.

${table([['list', 'smallest to largest', 'first page to 99 %', 'to largest, blocks', 'to 99 %, blocks'], ...growth])}
`;
}
