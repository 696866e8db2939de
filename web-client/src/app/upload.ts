import { Failure, failureIn } from './failure.ts';
import { currentMode } from './mode.ts';

/** Sends a file. @returns its URL, which a record may then name. @throws Failure */
export async function upload(file: File): Promise<string> {
  const body = new FormData();
  body.append('file', file);
  const response = await fetch('/uploads', {
    method: 'POST',
    body,
    headers: { 'X-Service-Mode': currentMode() },
  }).catch(() => {
    throw new Failure(null);
  });
  if (!response.ok) throw await failureIn(response);
  const { data } = (await response.json()) as { data: { url: string } };
  return data.url;
}
