import type { Conversation } from '../../../schema/conversations.ts';
import type { ConversationRow, ConversationSort } from '../../../schema/views.ts';

/** A conversation as the list keeps it; without a note, as far as is known. */
export type Row = Conversation & { note?: ConversationRow['note'] };

/** A page of the list as it is kept. */
export interface ListedPage {
  data: Row[];
  meta: { next_cursor: string | null; has_more: boolean; total_unread: number };
  /**
   * Conversations that the filters no longer match, with the version at which they left; on the first page, for all.
   * Their rows stay, drawn grey, until one moves on: what somebody is about to click does not vanish.
   */
  left?: Readonly<Record<string, number>>;
}

export interface Listed {
  pages: ListedPage[];
  pageParams: unknown[];
}

export interface Change {
  conversation: Conversation;
  matches: boolean;
  /** A new note; absent: the row keeps what it has. */
  note?: ConversationRow['note'];
}

const none: Readonly<Record<string, number>> = {};

/**
 * A list after a change of one conversation. Older versions than those known are ignored, so changes may come twice
 * and in any order. Returns the same object when nothing is different.
 */
export function applyChange(list: Listed, change: Change, sort: ConversationSort = 'activity'): Listed {
  const { matches } = change;
  const left = list.pages[0]?.left ?? none;
  const gone = left[change.conversation.id];
  const place = placeOf(list.pages, change.conversation.id);
  const conversation = rowOf(change, place && list.pages[place.page]?.data[place.row]);
  if (!place) {
    if (gone !== undefined && gone >= conversation.version) return list;
    if (!matches) return withLeft(list, { ...left, [conversation.id]: conversation.version });
    return insert(withLeft(list, without(left, conversation.id)), conversation, sort);
  }
  const known = list.pages[place.page]?.data[place.row];
  if (!known || known.version > conversation.version) return list;
  if (known.version === conversation.version && matches === (gone === undefined)) return list;
  const next = withLeft(
    list,
    matches ? without(left, conversation.id) : { ...left, [conversation.id]: conversation.version },
  );
  // A row that had left kept its place, whatever happened to it.
  const stays = !matches || (gone === undefined && placeIn(sort, known) === placeIn(sort, conversation));
  return stays
    ? replaced(next, place, (rows) => rows.with(place.row, conversation))
    : insert(
        replaced(next, place, (rows) => rows.toSpliced(place.row, 1)),
        conversation,
        sort,
      );
}

function rowOf({ conversation, note }: Change, known: Row | null | undefined): Row {
  const newest = note ?? known?.note;
  return newest ? { ...conversation, note: newest } : conversation;
}

/** The list with one row changed in place, if it has it. */
export function changeRow(list: Listed, id: string, change: (row: Row) => Row): Listed {
  const place = placeOf(list.pages, id);
  if (!place) return list;
  return replaced(list, place, (rows) => rows.map((row) => (row.id === id ? change(row) : row)));
}

/** The list without the rows that have left it, but for one. */
export function dropLeft(list: Listed, except: string | null): Listed {
  const left = list.pages[0]?.left;
  if (!left) return list;
  const stays = ({ id }: Conversation) => id === except || left[id] === undefined;
  if (list.pages.every(({ data }) => data.every(stays))) return list;
  return { ...list, pages: list.pages.map((page) => ({ ...page, data: page.data.filter(stays) })) };
}

/**
 * A list that was loaded anew, with what had left it before, and the open conversation, still in their places.
 * @param open the conversation that somebody has before them
 */
export function keepShown(
  list: Listed,
  before: Listed,
  open: string | undefined,
  sort: ConversationSort = 'activity',
): Listed {
  const left = before.pages[0]?.left ?? none;
  const kept = rowsOf(before).filter(({ id }) => id === open || left[id] !== undefined);
  return kept.reduce((known, row) => {
    if (placeOf(known.pages, row.id)) return known;
    const next = insert(known, row, sort);
    return next === known
      ? known
      : withLeft(next, { ...(next.pages[0]?.left ?? none), [row.id]: row.version });
  }, list);
}

/** All rows, each once. A page that was asked for before a row moved up may bring it a second time. */
export function rowsOf({ pages }: Listed): Row[] {
  const rows = new Map<string, Row>();
  for (const row of pages.flatMap(({ data }) => data)) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

/** What an order goes by; where nobody waits comes last. */
function placeIn(sort: ConversationSort, { last_message_at, waiting_since }: Conversation): string {
  return sort === 'waiting' ? (waiting_since ?? 'never') : last_message_at;
}

/** Negative when `a` stands above `b`, as the server sorts. */
export function compareRows(sort: ConversationSort, a: Conversation, b: Conversation): number {
  const [first, second] = [placeIn(sort, a), placeIn(sort, b)];
  const later = first === second ? a.id > b.id : first > second;
  return later === (sort === 'activity') ? -1 : 1;
}

interface Place {
  page: number;
  row: number;
}

function placeOf(pages: readonly ListedPage[], id: string): Place | null {
  for (const [page, { data }] of pages.entries()) {
    const row = data.findIndex((one) => one.id === id);
    if (row !== -1) return { page, row };
  }
  return null;
}

/** Puts a row where it sorts. One below everything that is loaded waits for its page. */
function insert(list: Listed, conversation: Row, sort: ConversationSort): Listed {
  for (const [page, { data }] of list.pages.entries()) {
    const row = data.findIndex((one) => compareRows(sort, conversation, one) < 0);
    if (row !== -1) return replaced(list, { page, row }, (rows) => rows.toSpliced(row, 0, conversation));
  }
  const last = list.pages.length - 1;
  if (list.pages[last]?.meta.has_more !== false) return list;
  return replaced(list, { page: last, row: 0 }, (rows) => [...rows, conversation]);
}

function replaced(list: Listed, { page }: Place, change: (rows: Row[]) => Row[]): Listed {
  const pages = list.pages.map((one, n) => (n === page ? { ...one, data: change(one.data) } : one));
  return { ...list, pages };
}

function withLeft(list: Listed, left: Readonly<Record<string, number>>): Listed {
  if (left === (list.pages[0]?.left ?? none)) return list;
  return { ...list, pages: list.pages.map((one, n) => (n === 0 ? { ...one, left } : one)) };
}

function without(left: Readonly<Record<string, number>>, id: string): Readonly<Record<string, number>> {
  if (left[id] === undefined) return left;
  const { [id]: _gone, ...rest } = left;
  return rest;
}
