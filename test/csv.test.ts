import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLimits, CsvFileError, csvText, guardCell, unguardCell } from '../server/platform/csv.ts';
import { type Column, readHeader, valuesOf } from '../server/platform/csv-columns.ts';
import { inspectCsv } from '../server/platform/csv-file.ts';
import { type CsvRow, readCsv } from '../server/platform/csv-rows.ts';
import { file } from './support/csv.ts';

async function rowsOf(content: string | Uint8Array, chunk?: number) {
  const source = file(content, chunk);
  const rows: CsvRow[] = [];
  for await (const row of readCsv(source, await inspectCsv(source))) rows.push(row);
  return rows;
}

const cellsOf = async (content: string, chunk?: number) =>
  (await rowsOf(content, chunk)).map(({ cells }) => cells);

describe('formulas', () => {
  test.each(['=1+1', '+351912345678', '-2', '@SUM(A1)', '\t=1', '\r=1', '＝1', "'=1", "''+1"])(
    '%j is made harmless, and comes back',
    (value) => {
      const cell = guardCell(value);
      expect(cell).toBe(`'${value}`);
      expect(unguardCell(cell)).toBe(value);
    },
  );

  test.each(['', 'Ana', '1-2', "'quoted'", "it's", 'a=b'])('%j is no formula and stays', (value) => {
    expect(guardCell(value)).toBe(value);
    expect(unguardCell(value)).toBe(value);
  });
});

test('whatever text is written is read again, cut into chunks anywhere', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.stringMatching(/^['=+\-@\t\r\n",; a]{0,6}$/),
  );
  const row = fc.array(cell, { minLength: 2, maxLength: 4 });
  const rows = fc.array(
    row.filter((cells) => cells.some((value) => value.trim() !== '')),
    { maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 50 }), async (written, chunk) => {
      const text = csvText([['name', 'text'], ...written]);
      const read = await cellsOf(text, chunk);
      expect(read.slice(1).map((cells) => cells.map(unguardCell))).toEqual(written);
    }),
    { numRuns: 300 },
  );
});

describe('form of the file', () => {
  test('semicolons behind a byte order mark, CR LF, blank lines and line breaks in cells; lines are those of the file', async () => {
    const rows = await rowsOf('\uFEFFname;"a,b"\r\n\r\nAna;"x\r\ny"\r\n;\r\n  \r\nBo;"z ""q"""\r\n');
    expect(rows).toEqual([
      { line: 1, cells: ['name', 'a,b'] },
      { line: 3, cells: ['Ana', 'x\r\ny'] },
      { line: 7, cells: ['Bo', 'z "q"'] },
    ]);
  });

  test('tabs, and carriage returns alone', async () => {
    expect(await cellsOf('a\tb\r1\té\r3\t4')).toEqual([
      ['a', 'b'],
      ['1', 'é'],
      ['3', '4'],
    ]);
  });

  test.each([
    ['a stray quote', '1,x"y'],
    ['text behind a closing quote', '1,"x"y'],
    ['a quote that is never closed', '1,"x'],
    ['a huge cell', `1,${'x'.repeat(csvLimits.row * 4)}`],
    ['a huge cell in a quote that is never closed', `1,"${'x'.repeat(csvLimits.row * 4)}`],
  ])('%s costs its own row only', async (_, bad) => {
    for (const chunk of [5, 65_536]) {
      if (chunk === 5 && bad.length > 100) continue;
      const rows = await rowsOf(`a,b\n2,two\n${bad}\n4,"fo""ur"\n5,five\n`, chunk);
      expect(rows.map(({ line, broken }) => [line, broken !== undefined])).toEqual([
        [1, false],
        [2, false],
        [3, true],
        [4, false],
        [5, false],
      ]);
      expect(rows[3]?.cells).toEqual(['4', 'fo"ur']);
    }
  });

  test('what is not UTF-8 is refused with its line', async () => {
    const latin = Buffer.from('name\nAna\nJosé\nBo\n', 'latin1');
    for (const chunk of [1, 7, 1_000])
      await expect(inspectCsv(file(latin, chunk))).rejects.toThrow(/not UTF-8 \(line 3\)/);
    const cut = Buffer.from('name\nJosé').subarray(0, -1);
    await expect(inspectCsv(file(cut))).rejects.toThrow('not UTF-8');
    const utf16 = Buffer.from('\uFEFFname\nAna\n', 'utf16le');
    await expect(inspectCsv(file(utf16))).rejects.toThrow('UTF-16');
  });

  test('an empty file, one of too many lines and one of too many bytes are refused', async () => {
    await expect(inspectCsv(file(''))).rejects.toThrow(CsvFileError);
    await expect(inspectCsv(file('a\n'.repeat(csvLimits.lines + 2), 1 << 16))).rejects.toThrow('500000');
    const megabyte = new Uint8Array(1 << 20).fill(97);
    const large = {
      async *read() {
        for (let n = 0; n <= csvLimits.bytes / megabyte.length; n++) yield megabyte;
      },
    };
    await expect(inspectCsv(large)).rejects.toThrow('200 MB');
  });
});

describe('header', () => {
  const columns: Column[] = [
    { name: 'phone', kind: 'word', aliases: ['mobile phone'] },
    { name: 'name', kind: 'text' },
    { name: 'count', kind: 'integer' },
    { name: 'active', kind: 'flag' },
    { name: 'status', kind: 'choice' },
  ];

  test('names go without case, blanks and signs; other names are told', () => {
    const header = readHeader(['Mobile Phone ', ' NAME', 'Age', ''], columns, [['phone', 'count']]);
    expect([...header.columns].map(([index, { name }]) => [index, name])).toEqual([
      [0, 'phone'],
      [1, 'name'],
    ]);
    expect(header.ignored).toEqual(['Age']);
  });

  test('a column’s own name wins over another that it goes by', () => {
    const header = readHeader(['mobile_phone', 'phone'], columns, []);
    expect([...header.columns.keys()]).toEqual([1]);
    expect(header.ignored).toEqual(['mobile_phone']);
  });

  test('without a column that is needed the file is refused, with the names that it has', () => {
    expect(() => readHeader(['Age', 'Name'], columns, [['phone', 'count']])).toThrow(
      'The header needs a column phone or count; it has Age, Name.',
    );
  });

  test('cells are read as their column says; what they are not stays text for the schema to refuse', () => {
    const header = readHeader(['phone', 'name', 'count', 'active', 'status'], columns, []);
    expect(valuesOf([" '+351 91 ", "'=x ", ' 12 ', 'YES', ' Draft'], header)).toEqual({
      phone: "'+351 91",
      name: '=x ',
      count: 12,
      active: true,
      status: 'draft',
    });
    expect(valuesOf(["'+351", '', '1.5', 'maybe'], header)).toEqual({
      phone: '+351',
      count: '1.5',
      active: 'maybe',
    });
  });
});
