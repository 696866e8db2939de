import { useLingui } from '@lingui/react/macro';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { currentMode } from '../app/mode.ts';
import { ConversationPane } from './conversation-pane.tsx';
import { useConversation } from './conversation-data.ts';
import { contactName } from './words.ts';

/** One conversation by its permalink. */
export function ConversationPage() {
  const { t } = useLingui();
  const { conversationId } = useParams({ from: '/shell/conversations/$conversationId' });
  const { entry } = useSearch({ from: '/shell/conversations/$conversationId' });
  const { data } = useConversation(conversationId);
  const title = data ? contactName(data.data.contact) : t`Conversation`;
  useEffect(() => {
    document.title = `${currentMode() === 'test' ? '[TEST] ' : ''}${title} · Parlour`;
  }, [title]);
  return (
    <div className="thread-page">
      <h1 className="visually-hidden">{title}</h1>
      <ConversationPane conversationId={conversationId} {...(entry === undefined ? {} : { entry })} />
    </div>
  );
}
