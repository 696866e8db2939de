import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { currentMode } from './mode.ts';

/** A link to a conversation's own page, in the mode that is on. */
export function ConversationLink({ id, children }: { id: string; children: ReactNode }) {
  const mode = currentMode() === 'test' ? '?mode=test' : '';
  return <Anchor href={`/conversations/${id}${mode}`}>{children}</Anchor>;
}
