import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Services } from '../../server/platform/services.ts';
import type { Answer, Client } from './client.ts';

export type Content = string | Buffer;

export function fileOf(content: Content, name: string, type: string): File {
  return new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type });
}

export function uploadTo(
  api: Client,
  content: Content,
  name: string,
  type: string,
  fields: Record<string, string> = {},
): Promise<Answer> {
  return api.form('/media', { ...fields, file: fileOf(content, name, type) });
}

/** Files below a folder of DATA_DIR: `uploads` are the temporary ones, `media` those that are kept. */
export function filesIn(app: Services, folder: 'uploads' | 'media'): string[] {
  const root = path.join(app.config.dataDir, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

/** Posts a body to /media as it is. */
export async function postForm(
  api: Client,
  body: FormData | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${api.url}/api/v1/media`, {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${api.key}`, ...headers },
  });
  return { status: response.status, body: await response.json() };
}
