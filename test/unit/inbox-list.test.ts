import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../schema/conversations.ts';
import { arrange } from '../../web-client/src/inbox/calm-order.ts';
import { filtersOf, readSearch, savedFiltersOf, searchOfSaved } from '../../web-client/src/inbox/search.ts';
import {
  applyChange,
  type Change,
  changeRow,
  compareRows,
  dropLeft,
  keepShown,
  type Listed,
  rowsOf,
} from '../../web-client/src/realtime/apply-change.ts';

/** @param at minute of the last activity */
function conversation(id: string, version: number, at: number): Conversation {
  const row: Partial<Conversation> = { id, version, last_message_at: new Date(at * 60_000).toISOString() };
  return row as Conversation;
}

function listOf(...pages: Conversation[][]): Listed {
  return {
    pages: pages.map((data, n) => ({
      data,
      meta: { next_cursor: null, has_more: n < pages.length - 1, total_unread: 0 },
    })),
    pageParams: pages.map(() => null),
  };
}

const byActivity = (list: Listed, change: Change) => applyChange(list, change);
const idsOf = (list: Listed) => rowsOf(list).map(({ id }) => id);

describe('a list of conversations', () => {
  const start = listOf(
    [conversation('A', 1, 30), conversation('B', 1, 20)],
    [conversation('C', 1, 10), conversation('D', 1, 5)],
  );

  it('ignores what it knows already and what is older', () => {
    const moved = applyChange(start, { conversation: conversation('D', 3, 40), matches: true });
    expect(idsOf(moved)).toEqual(['D', 'A', 'B', 'C']);
    expect(applyChange(moved, { conversation: conversation('D', 3, 40), matches: true })).toBe(moved);
    expect(applyChange(moved, { conversation: conversation('D', 2, 35), matches: false })).toBe(moved);
  });

  it('keeps a row that has left until one moves on, and takes it back where it stood', () => {
    const closed = applyChange(start, { conversation: conversation('B', 2, 20), matches: false });
    expect(idsOf(closed)).toEqual(['A', 'B', 'C', 'D']);
    expect(closed.pages[0]?.left).toEqual({ B: 2 });
    expect(dropLeft(closed, 'B')).toBe(closed);
    const gone = dropLeft(closed, 'A');
    expect(idsOf(gone)).toEqual(['A', 'C', 'D']);
    const back = applyChange(gone, { conversation: conversation('B', 3, 20), matches: true });
    expect(idsOf(back)).toEqual(['A', 'B', 'C', 'D']);
    expect(back.pages[0]?.left).toEqual({});
  });

  it('keeps what has left, and what is open, in its place when it is loaded anew', () => {
    const closed = applyChange(start, { conversation: conversation('B', 2, 20), matches: false });
    const anew = listOf([conversation('A', 1, 30), conversation('D', 1, 5)]);
    const kept = keepShown(anew, closed, 'C');
    expect(idsOf(kept)).toEqual(['A', 'B', 'C', 'D']);
    expect(kept.pages[0]?.left).toEqual({ B: 2, C: 1 });
    expect(idsOf(dropLeft(kept, null))).toEqual(['A', 'D']);
    expect(keepShown(start, closed, 'C')).toBe(start);
  });

  it('leaves to its page what stands below everything that is loaded', () => {
    const more = listOf([conversation('A', 1, 30)], [conversation('B', 1, 20)]);
    if (more.pages[1]) more.pages[1].meta.has_more = true;
    expect(applyChange(more, { conversation: conversation('Z', 1, 1), matches: true })).toBe(more);
    const end = applyChange(start, { conversation: conversation('Z', 1, 1), matches: true });
    expect(idsOf(end)).toEqual(['A', 'B', 'C', 'D', 'Z']);
  });

  it('is kept in the order that was asked for', () => {
    const waits = (id: string, version: number, since: number | null) => ({
      ...conversation(id, version, 50),
      waiting_since: since === null ? null : new Date(since * 60_000).toISOString(),
    });
    const list = listOf([waits('A', 1, 10), waits('B', 1, 30), waits('C', 1, null)]);
    const more = applyChange(list, { conversation: waits('D', 1, 20), matches: true }, 'waiting');
    expect(idsOf(more)).toEqual(['A', 'D', 'B', 'C']);
    const answered = applyChange(more, { conversation: waits('A', 2, null), matches: true }, 'waiting');
    expect(idsOf(answered)).toEqual(['D', 'B', 'A', 'C']);
    const oldest = listOf([conversation('A', 1, 10), conversation('B', 1, 20)]);
    expect(
      idsOf(applyChange(oldest, { conversation: conversation('C', 1, 15), matches: true }, 'oldest')),
    ).toEqual(['A', 'C', 'B']);
  });

  it('keeps the newest note of a row until there is another', () => {
    const note = { snippet: 'Call back', author: 'Ann', at: new Date(0).toISOString() };
    const noted = applyChange(start, { conversation: conversation('B', 2, 20), matches: true, note });
    const later = applyChange(noted, { conversation: conversation('B', 3, 40), matches: true });
    expect(rowsOf(later).find(({ id }) => id === 'B')?.note).toEqual(note);
  });

  it('shows a row once, though a page brought it again', () => {
    const twice = listOf([conversation('A', 2, 30)], [conversation('A', 1, 10), conversation('B', 1, 5)]);
    expect(idsOf(twice)).toEqual(['A', 'B']);
    const all = changeRow(twice, 'A', (row) => ({ ...row, version: 9 }));
    expect(rowsOf(all)[0]?.version).toBe(9);
  });

  it('ends the same however its changes are shuffled and repeated', () => {
    const ids = ['A', 'B', 'C', 'D', 'E', 'F'];
    const history = fc.array(
      fc.record({
        id: fc.constantFrom(...ids),
        minutes: fc.integer({ min: 0, max: 20 }),
        matches: fc.boolean(),
      }),
      { maxLength: 25 },
    );
    const shuffled = history.chain((events) => {
      const versions = new Map<string, { version: number; at: number }>();
      const changes = events.map(({ id, minutes, matches }): Change => {
        const known = versions.get(id) ?? { version: 1, at: 30 };
        const next = { version: known.version + 1, at: known.at + minutes };
        versions.set(id, next);
        return { conversation: conversation(id, next.version, next.at), matches };
      });
      const twice = fc.shuffledSubarray([...changes, ...changes], { minLength: changes.length * 2 });
      return fc.tuple(fc.constant(changes), twice);
    });
    const seen = (changes: readonly Change[]) => {
      const list = dropLeft(changes.reduce(byActivity, start), null);
      return rowsOf(list).map(({ id, version }) => `${id}${version}`);
    };
    fc.assert(
      fc.property(shuffled, ([changes, mixed]) => {
        expect(seen(mixed)).toEqual(seen(changes));
        const rows = rowsOf(dropLeft(mixed.reduce(byActivity, start), null));
        expect(rows.toSorted((a, b) => compareRows('activity', a, b))).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an order that is held', () => {
  const rows = ['N', 'C', 'A', 'B', 'D', 'E'].map((id, n) => conversation(id, 1, 100 - n));

  it('lets new and risen rows wait, counts them, and adds what was loaded below', () => {
    const { rows: shown, waiting } = arrange(['A', 'B', 'C', 'D'], rows);
    expect(shown.map(({ id }) => id)).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(waiting).toBe(2);
  });

  it('has nothing waiting where nothing moved', () => {
    const same = arrange(
      rows.map(({ id }) => id),
      rows,
    );
    expect(same).toEqual({ rows, waiting: 0 });
  });
});

describe('the address of the inbox', () => {
  it('leaves out what makes no sense', () => {
    expect(
      readSearch({ status: 'lost', q: 912, read: 'maybe', rating: 9, view: 'nowhere', extra: 1 }),
    ).toEqual({
      q: '912',
    });
  });

  it('puts its filters over those of the view', () => {
    expect(filtersOf({})).toEqual({ status: 'open', archived: false });
    expect(filtersOf({ view: 'mine', status: 'closed', open: 'X', saved: 'Y', q: 'tea' })).toEqual({
      assignee: 'me',
      status: 'closed',
      archived: false,
      q: 'tea',
    });
    expect(filtersOf({ view: 'mentions', sort: 'waiting' })).toEqual({ view: 'mentions', sort: 'waiting' });
  });

  it('becomes a saved view, and is the same again from there', () => {
    for (const search of [
      {},
      { view: 'all' as const, tag: 'T' },
      { view: 'mine' as const, q: 'tea', sort: 'oldest' as const },
      { view: 'unread' as const },
    ]) {
      const filters = savedFiltersOf({ ...search, open: 'X' });
      expect(filtersOf(searchOfSaved('S', filters))).toEqual(filtersOf(search));
    }
  });
});
