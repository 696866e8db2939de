// `npm run eval`: how well the built-in engine reads what customers write. --json for machines, --wrong for the
// misread messages of the tuning part; those of the held-out part are never shown.
import { type Score, scoresOf } from './scores.ts';

const parts = { tuning: scoresOf('tuning'), held_out: scoresOf('held-out') };

if (process.argv.includes('--json')) {
  const figures = Object.entries(parts).map(([name, { wrong: _wrong, ...rest }]) => [name, rest]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
} else {
  for (const [name, { messages, accuracy, intents, sentiments }] of Object.entries(parts)) {
    process.stdout.write(`\n${name}: ${messages} messages\n`);
    for (const [of, share] of Object.entries(accuracy))
      process.stdout.write(`  ${of.padEnd(18)} ${percent(share)} right\n`);
    for (const score of [...intents, ...sentiments]) process.stdout.write(`  ${describe(score)}\n`);
  }
}
if (process.argv.includes('--wrong')) {
  for (const one of parts.tuning.wrong) {
    const { language, foundLanguage, intent, foundIntent, sentiment, foundSentiment, text } = one;
    process.stdout.write(
      `${language}→${foundLanguage} ${intent}→${foundIntent} ${sentiment}→${foundSentiment}: ${text}\n`,
    );
  }
}

function describe({ label, precision, recall, count }: Score): string {
  return `${label.padEnd(18)} precision ${percent(precision)}  recall ${percent(recall)}  of ${count}`;
}

function percent(share: number | null): string {
  return share === null ? '   –' : `${Math.round(share * 100)} %`.padStart(5);
}
