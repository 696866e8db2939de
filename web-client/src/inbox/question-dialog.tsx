import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { act, addTag, assign, mute, removeTag, transfer } from './actions.ts';
import { AgentDialog, MuteDialog, TagDialog } from './pickers.tsx';
import type { Question } from './row-actions.ts';

const TransferDialog = lazy(async () => ({
  default: (await import('./transfer-dialog.tsx')).TransferDialog,
}));

/** Asks what an action on one conversation needs to know, then does it. */
export function QuestionDialog({
  question,
  row,
  onClose,
}: {
  question: Question;
  row: Conversation;
  onClose(): void;
}) {
  const { t } = useLingui();
  switch (question) {
    case 'assign':
      return <AgentDialog onClose={onClose} onChoose={(agent) => act(assign(agent), row)} />;
    case 'transfer':
      return (
        <Suspense>
          <TransferDialog
            assignee={row.assignee}
            onClose={onClose}
            onChoose={(to, name, note) => act(transfer(to, name, note), row)}
          />
        </Suspense>
      );
    case 'mute':
      return <MuteDialog onClose={onClose} onChoose={(until) => act(mute(until), row)} />;
    case 'tag': {
      const attached = row.tags.map(({ id }) => id);
      return (
        <TagDialog
          title={t`Tag`}
          attached={attached}
          onClose={onClose}
          onChoose={(tag) => act(attached.includes(tag.id) ? removeTag(tag) : addTag(tag), row)}
        />
      );
    }
  }
}
