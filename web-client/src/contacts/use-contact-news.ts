import type { InfiniteData } from '@tanstack/react-query';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import type { RecordEvent } from '../realtime/follow-events.ts';
import { type News, useRecordNews, withRow } from '../realtime/use-record-news.ts';

type ContactPage = inferOutput<typeof trpc.contacts.records>;
type ContactRecord = ContactPage['data'][number];

/** Keeps contacts that are on the screen as their colleagues see them. */
export function useContactNews(enabled: boolean): News {
  return useRecordNews({ family: 'contact', enabled, filter: trpc.contacts.pathFilter(), apply });
}

function apply(event: RecordEvent): void {
  const { id } = event.object;
  queryClient.setQueriesData<InfiniteData<ContactPage>>(trpc.contacts.records.infiniteQueryFilter(), (list) =>
    withRow(list, id, (row: ContactRecord) => changed(row, event)),
  );
  // The version, by which an edit is guarded, is no part of an event.
  void queryClient.invalidateQueries(trpc.contacts.record.queryFilter({ contact: id }));
  void queryClient.invalidateQueries(trpc.contacts.activity.queryFilter({ contact: id }));
}

function changed(row: ContactRecord, { type, object, details }: RecordEvent): ContactRecord {
  if (type === 'contact.deleted' || type === 'contact.merged') return row;
  const tag = details?.['tag'] as ContactRecord['tags'][number] | undefined;
  if (tag) {
    const others = row.tags.filter(({ id }) => id !== tag.id);
    return { ...row, tags: type === 'contact.tagged' ? [...others, tag] : others };
  }
  const after = object as Partial<ContactRecord>;
  // Events may come late: an older record does not replace a newer one.
  return (after.updated_at ?? '') < row.updated_at ? row : { ...row, ...after };
}
