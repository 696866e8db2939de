import type { SavedView } from '../../schema/views.ts';
import type { Inbox } from '../conversations/list.ts';
import { presentInbox } from '../conversations/present-inbox.ts';
import type { Context } from '../platform/context.ts';
import type { RowNote } from './notes.ts';
import type { SavedViewRecord } from './record.ts';

/** A page of the inbox as the dashboard lists it: with the newest notes. */
export function presentRows({ notes, ...inbox }: Inbox & { notes: Map<string, RowNote> }, ctx: Context) {
  const { data, meta } = presentInbox(inbox, ctx);
  return { data: data.map((one) => ({ ...one, note: notes.get(one.id) ?? null })), meta };
}

export function presentSavedView(record: SavedViewRecord): SavedView {
  const { owner, createdAt, updatedAt } = record;
  return {
    id: record.id,
    resource: record.resource,
    name: record.name,
    filters: { ...(record.filters as Record<string, unknown>) },
    shared: record.shared,
    position: record.position,
    owner: { name: owner.displayName, email: owner.email },
    editable: record.editable,
    version: record.version,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
