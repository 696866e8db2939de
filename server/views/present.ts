import type { SavedView } from '../../schema/views.ts';
import type { SavedViewRecord } from './record.ts';

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
