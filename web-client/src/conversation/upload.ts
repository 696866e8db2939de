import type { MessageMedia } from '../../../schema/entries.ts';
import type { Media } from '../../../schema/media.ts';
import { Failure } from '../app/failure.ts';
import { currentMode } from '../app/mode.ts';

/** Sends a file. @param progress told of the share that is sent, 0 to 1 @throws Failure */
export function upload(
  file: File,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<MessageMedia> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/uploads');
    request.setRequestHeader('X-Service-Mode', currentMode());
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      progress(total === 0 ? 0 : loaded / total),
    );
    request.addEventListener('load', () => {
      const body = request.response as {
        data?: Media;
        error?: ConstructorParameters<typeof Failure>[0];
      } | null;
      if (request.status === 201 && body?.data) resolve(refOf(body.data));
      else reject(new Failure(body?.error ?? null));
    });
    for (const end of ['error', 'abort']) request.addEventListener(end, () => reject(new Failure(null)));
    signal.addEventListener('abort', () => request.abort());
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

function refOf({ id, url, kind, mime_type, size, filename }: Media): MessageMedia {
  return { id, url, kind, mime_type, size, filename };
}
