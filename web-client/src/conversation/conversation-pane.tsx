import { useMemo, useRef, useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { useCommands } from '../keyboard/commands.ts';
import { QueryState } from '../app/query-state.tsx';
import { Composer } from './composer.tsx';
import { useConversation } from './conversation-data.ts';
import './conversation.css';
import { PaneHeader } from './pane-header.tsx';
import { SidePanel } from './side-panel.tsx';
import { readStored, writeStored } from './stored.ts';
import { type ComposerHandle, ThreadProvider } from './thread-context.ts';
import { Timeline, type TimelineHandle } from './timeline.tsx';
import { useRead } from './use-read.ts';

/** A conversation: what was said, where one answers, and what is known. It fills the room that it is given. */
export function ConversationPane({ conversationId }: { conversationId: string }) {
  const query = useConversation(conversationId);
  return (
    <section className="thread-pane" aria-label="Conversation">
      {query.data ? (
        <Pane key={conversationId} conversation={query.data.data} />
      ) : (
        <div className="thread-loading">
          <QueryState query={query} rows={8}>
            {() => null}
          </QueryState>
        </div>
      )}
    </section>
  );
}

function Pane({ conversation }: { conversation: Conversation }) {
  const composer = useRef<ComposerHandle>(null);
  const timeline = useRef<TimelineHandle>(null);
  const [panel, setPanel] = useState(() => innerWidth >= 1200 && (readStored<boolean>('panel') ?? true));
  useRead(conversation);
  const context = useMemo(
    () => ({
      conversation,
      composer,
      jump: (id: string) => timeline.current?.jump(id),
      toEnd: () => timeline.current?.toEnd(),
    }),
    [conversation],
  );
  const toggle = () => {
    writeStored('panel', !panel);
    setPanel(!panel);
  };
  useCommands([
    { id: 'details', title: 'Show or hide the details', group: 'Conversations', keys: [']'], run: toggle },
  ]);
  return (
    <ThreadProvider value={context}>
      <div className="thread-main">
        <PaneHeader conversation={conversation} panelOpen={panel} onTogglePanel={toggle} />
        <Timeline ref={timeline} conversation={conversation} />
        <Composer ref={composer} conversation={conversation} />
      </div>
      {panel && <SidePanel onClose={toggle} />}
    </ThreadProvider>
  );
}
