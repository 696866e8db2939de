import { useSyncExternalStore } from 'react';
import type { MessageMedia } from '../../../schema/entries.ts';
import type { DraftStore } from './draft-store.ts';
import type { Upload } from './uploads.ts';

/** A file beside the text: there, on its way, or refused. */
export interface Attachment extends Upload {
  there: boolean;
}

/** The files that go with the next reply. */
export function useAttachments(store: DraftStore) {
  const { uploads } = store;
  const media = useSyncExternalStore(store.subscribe, () => store.read('reply').media);
  const underWay = useSyncExternalStore(uploads.subscribe, uploads.list);
  const list: Attachment[] = [
    ...media.map(attached),
    ...underWay.map((upload) => ({ ...upload, there: false })),
  ];
  return {
    list,
    media,
    busy: underWay.some(({ refusal }) => refusal === null),
    add: (files: readonly File[]) => uploads.add(files),
    put: (added: MessageMedia) => store.attach(added),
    retry: (key: string) => uploads.retry(key),
    remove: (key: string) => {
      uploads.remove(key);
      store.detach(key);
    },
  };
}

function attached({ id, filename, size }: MessageMedia): Attachment {
  return { key: id, name: filename, size, share: 1, refusal: null, there: true };
}
