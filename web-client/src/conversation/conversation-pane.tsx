import { useLingui } from '@lingui/react/macro';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { useCommands } from '../keyboard/commands.ts';
import { QueryState } from '../app/query-state.tsx';
import { act, transfer } from '../inbox/actions.ts';
import { Composer } from './composer.tsx';
import { useConversation } from './conversation-data.ts';
import './conversation.css';
import { PaneHeader } from './pane-header.tsx';
import { SidePanel } from './side-panel.tsx';
import { readStored, writeStored } from './stored.ts';
import { type ComposerHandle, ThreadProvider } from './thread-context.ts';
import { imagesIn } from './thread-data.ts';
import { ThreadSearch } from './thread-search.tsx';
import { Timeline, type TimelineHandle } from './timeline.tsx';
import { usePaneCommands } from './use-pane-commands.ts';
import { useRead } from './use-read.ts';

const Lightbox = lazy(async () => ({ default: (await import('./lightbox.tsx')).Lightbox }));
const TransferDialog = lazy(async () => ({
  default: (await import('../inbox/transfer-dialog.tsx')).TransferDialog,
}));
const SaveAsReply = lazy(async () => ({ default: (await import('./save-as-reply.tsx')).SaveAsReply }));

/** A conversation: what was said, where one answers, and what is known. It fills the room that it is given. */
export function ConversationPane({ conversationId, entry }: { conversationId: string; entry?: string }) {
  const { t } = useLingui();
  const query = useConversation(conversationId);
  return (
    <section className="thread-pane" aria-label={t`Conversation`}>
      {query.data ? (
        <Pane key={conversationId} conversation={query.data.data} entry={entry} />
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

function Pane({ conversation, entry }: { conversation: Conversation; entry: string | undefined }) {
  const { t } = useLingui();
  const composer = useRef<ComposerHandle>(null);
  const timeline = useRef<TimelineHandle>(null);
  const [panel, setPanel] = useState(() => innerWidth >= 1200 && (readStored<boolean>('panel') ?? true));
  const [searching, setSearching] = useState(false);
  const [image, setImage] = useState<string | null>(null);
  const [saving, setSaving] = useState<string | null>(null);
  const [transferring, setTransferring] = useState(false);
  useRead(conversation);
  // The same as long as the pane is there: whoever waits for one of them is not called again by each change.
  const [reach] = useState(() => ({
    composer,
    jump: (id: string, focus?: 'keep focus') => timeline.current?.jump(id, focus === undefined),
    jumpToDay: (day: string) => timeline.current?.jumpToDay(day),
    showImage: setImage,
    saveAsReply: setSaving,
    transfer: () => setTransferring(true),
    toEnd: () => timeline.current?.toEnd(),
  }));
  const context = useMemo(() => ({ ...reach, conversation }), [reach, conversation]);
  const toggle = () => {
    writeStored('panel', !panel);
    setPanel(!panel);
  };
  const focusAi = () => {
    if (!panel) toggle();
    // Once the panel is drawn.
    requestAnimationFrame(() => {
      const section = document.querySelector<HTMLDetailsElement>('#panel-ai');
      if (section) section.open = true;
      section?.querySelector('button')?.focus();
    });
  };
  usePaneCommands({
    conversation,
    alone: useLocation({ select: ({ pathname }) => pathname.startsWith('/conversations/') }),
    focusAi,
    search: () => setSearching(true),
    transfer: () => setTransferring(true),
  });
  useCommands([
    { id: 'details', title: t`Show or hide the details`, group: 'Conversations', keys: [']'], run: toggle },
  ]);
  return (
    <ThreadProvider value={context}>
      <div className="thread-main">
        <PaneHeader
          conversation={conversation}
          panelOpen={panel}
          onTogglePanel={toggle}
          searching={searching}
          onSearch={() => setSearching(!searching)}
        />
        {searching && <ThreadSearch onClose={() => setSearching(false)} />}
        <Timeline ref={timeline} conversation={conversation} entry={entry} />
        <Composer ref={composer} conversation={conversation} />
      </div>
      {panel && <SidePanel onClose={toggle} />}
      <Suspense fallback={null}>
        {image !== null && (
          <Lightbox images={imagesIn(conversation.id)} start={image} onClose={() => setImage(null)} />
        )}
        {transferring && (
          <TransferDialog
            assignee={conversation.assignee}
            onChoose={(to, name, note) => act(transfer(to, name, note), conversation)}
            onClose={() => setTransferring(false)}
          />
        )}
        {saving !== null && <SaveAsReply text={saving} onClose={() => setSaving(null)} />}
      </Suspense>
    </ThreadProvider>
  );
}
