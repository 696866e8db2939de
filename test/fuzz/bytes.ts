import fc from 'fast-check';

/** How often each parser is tried; `npm run fuzz -- --bytes 1000000` is the run in full. */
export const tries = Number(process.env['FUZZ_BYTES'] ?? 2_000);
export const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_128);

const edit = fc.record({
  at: fc.nat(2_000),
  drop: fc.nat(12),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        '\0',
        '"',
        '\\',
        '\r\n',
        '\r\n\r\n',
        '--',
        '=',
        ';',
        ',',
        '|',
        '%',
        '{',
        '}',
        '[',
        '😀',
        'ÿ',
        '\n.',
        ':',
      )
      .map((text) => Buffer.from(text)),
  ),
});

/** Bytes: some of nothing, most of them good ones with a few changes. */
export function bytesLike(...good: readonly (string | Buffer)[]): fc.Arbitrary<Buffer> {
  const spoilt = fc
    .tuple(fc.constantFrom(...good), fc.array(edit, { minLength: 1, maxLength: 5 }))
    .map(([start, edits]) => edits.reduce((bytes, one) => applied(bytes, one), Buffer.from(start)));
  const cut = fc.tuple(spoilt, fc.nat(400)).map(([bytes, at]) => bytes.subarray(0, at));
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  return fc.oneof(
    { weight: 6, arbitrary: spoilt },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: noise },
  );
}

/** The same as text. */
export function textLike(...good: readonly string[]): fc.Arbitrary<string> {
  const spoilt = bytesLike(...good).map(String);
  return fc.oneof({ weight: 6, arbitrary: spoilt }, fc.string({ unit: 'binary', maxLength: 100 }));
}

function applied(
  bytes: Buffer<ArrayBuffer>,
  { at, drop, insert }: { at: number; drop: number; insert: Buffer },
): Buffer<ArrayBuffer> {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  return Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + drop)]);
}

let slowestSeen = 0;

/** What the slowest input so far took, in words. */
export function slowestOf(): string {
  return `the slowest took ${slowestSeen.toFixed(1)} ms`;
}

/** Tries a parser with so many inputs, one after the other. @throws with the smallest input that it can't take */
export async function tried<T>(
  input: fc.Arbitrary<T>,
  parse: (input: T) => Promise<void> | void,
  numRuns = tries,
): Promise<void> {
  let slowest = 0;
  const property = fc.asyncProperty(input, async (one) => {
    const began = performance.now();
    await parse(one);
    slowest = Math.max(slowest, performance.now() - began);
  });
  await fc.assert(property, { numRuns, seed });
  slowestSeen = Math.max(slowestSeen, slowest);
  process.stdout.write(`  ${numRuns} inputs, seed ${seed}, slowest ${slowest.toFixed(1)} ms\n`);
}
