import type { WebchatTextKey } from '../../../schema/webchat.ts';

/** How the channel looks and what it says, as the server gives it. */
export interface Appearance {
  color: string;
  position: 'right' | 'left';
  ask: Record<'name' | 'email', 'off' | 'optional' | 'required'>;
  files: boolean;
  max_file_bytes: number;
  locale: string;
  texts: Record<WebchatTextKey, string>;
}

export interface Media {
  url: string;
  kind: string;
  size: number;
  filename: string;
}

/** A message as the server knows it. */
export interface Message {
  id: string;
  clientId: string | null;
  fromVisitor: boolean;
  author: string | null;
  automated: boolean;
  text: string | null;
  media: Media | null;
  status: string;
  at: string;
}

/** A message that the server has not confirmed. Kept over reloads, but for a file that is not uploaded yet. */
export interface Draft {
  clientId: string;
  text: string;
  at: string;
  media?: Media | undefined;
  file?: File | undefined;
  /** Why it was refused; sent again only when asked for. */
  refused?: string | undefined;
}

/** Whom the page's server vouches for. */
export interface User {
  id: string;
  hash: string;
  email?: string | undefined;
  name?: string | undefined;
}
