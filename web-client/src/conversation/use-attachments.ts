import { useEffect, useRef, useState } from 'react';
import type { MessageMedia } from '../../../schema/entries.ts';
import { failureOf } from '../app/failure.ts';
import { newId } from './stored.ts';
import { upload } from './upload.ts';
import { sizeOf } from './words.ts';

/** A file beside the text: on its way, there, or refused. */
export interface Attachment {
  key: string;
  name: string;
  size: number;
  share: number;
  media: MessageMedia | null;
  refusal: string | null;
}

/** Files that go with the next message; each is sent to the server at once and alone. */
export function useAttachments(initial: readonly MessageMedia[], changed: (media: MessageMedia[]) => void) {
  const [list, setList] = useState<readonly Attachment[]>(() => initial.map(attached));
  const running = useRef(new Map<string, { file: File; abort: AbortController }>());
  const told = useRef(changed);
  useEffect(() => {
    told.current = changed;
  });
  const ready = list.flatMap(({ media }) => media ?? []);
  const urls = ready.map(({ url }) => url).join(' ');
  const before = useRef(urls);
  useEffect(() => {
    if (before.current === urls) return;
    before.current = urls;
    told.current(ready);
  });

  const edit = (key: string, news: Partial<Attachment>) =>
    setList((now) => now.map((one) => (one.key === key ? { ...one, ...news } : one)));
  const start = (key: string, file: File) => {
    const abort = new AbortController();
    running.current.set(key, { file, abort });
    upload(file, (share) => edit(key, { share }), abort.signal).then(
      (media) => edit(key, { media, share: 1 }),
      (error: unknown) => edit(key, { refusal: inWords(failureOf(error).message) }),
    );
  };
  return {
    list,
    media: ready,
    busy: list.some(({ media, refusal }) => media === null && refusal === null),
    add(files: readonly File[]) {
      const added = files.map((file) => ({ file, key: newId() }));
      setList((now) => [
        ...now,
        ...added.map(({ key, file: { name, size } }) => ({
          key,
          name,
          size,
          share: 0,
          media: null,
          refusal: null,
        })),
      ]);
      for (const { key, file } of added) start(key, file);
    },
    put(media: MessageMedia) {
      setList((now) => (now.some(({ key }) => key === media.id) ? now : [...now, attached(media)]));
    },
    retry(key: string) {
      const file = running.current.get(key)?.file;
      edit(key, { refusal: null, share: 0 });
      if (file) start(key, file);
    },
    remove(key: string) {
      running.current.get(key)?.abort.abort();
      running.current.delete(key);
      setList((now) => now.filter((one) => one.key !== key));
    },
    /** Another browser's files take the place of those that are there. */
    replace(media: readonly MessageMedia[]) {
      before.current = media.map(({ url }) => url).join(' ');
      setList((now) => [...media.map(attached), ...now.filter((one) => one.media === null)]);
    },
    /** Takes away what was sent; what was refused stays to be seen. */
    clear() {
      setList((now) => now.filter(({ media }) => media === null));
    },
  };
}

/** The server counts bytes; people don’t. */
function inWords(refusal: string): string {
  return refusal.replace(/(\d+) bytes/, (_all, bytes: string) => sizeOf(Number(bytes)));
}

function attached(media: MessageMedia): Attachment {
  return { key: media.id, name: media.filename, size: media.size, share: 1, media, refusal: null };
}
