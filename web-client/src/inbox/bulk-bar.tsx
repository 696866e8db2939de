import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core';
import {
  Bell,
  BellOff,
  CircleCheck,
  type LucideIcon,
  MailCheck,
  MailOpen,
  RotateCcw,
  Tag,
  TagX,
  UserPlus,
  UserX,
  X,
} from 'lucide-react';
import type { BulkAction } from '../../../schema/conversations.ts';
import { Confirm } from '../app/confirm.tsx';
import { currentMode } from '../app/mode.ts';
import { AgentDialog, MuteDialog, TagDialog } from './pickers.tsx';
import type { Bulk, BulkQuestion } from './use-bulk.ts';
import type { Selection } from './use-selection.ts';

const buttons: readonly { action: BulkAction; label: string; icon: LucideIcon; asks?: BulkQuestion }[] = [
  {
    action: 'close',
    get label() {
      return t`Close`;
    },
    icon: CircleCheck,
  },
  {
    action: 'open',
    get label() {
      return t`Reopen`;
    },
    icon: RotateCcw,
  },
  {
    action: 'read',
    get label() {
      return t`Mark as read`;
    },
    icon: MailOpen,
  },
  {
    action: 'unread',
    get label() {
      return t`Mark as unread`;
    },
    icon: MailCheck,
  },
  {
    action: 'assign',
    get label() {
      return t`Assign to…`;
    },
    icon: UserPlus,
    asks: 'assign',
  },
  {
    action: 'unassign',
    get label() {
      return t`Take the assignee off`;
    },
    icon: UserX,
  },
  {
    action: 'tag',
    get label() {
      return t`Tag…`;
    },
    icon: Tag,
    asks: 'tag',
  },
  {
    action: 'untag',
    get label() {
      return t`Take a tag off…`;
    },
    icon: TagX,
    asks: 'untag',
  },
  {
    action: 'mute',
    get label() {
      return t`Mute…`;
    },
    icon: BellOff,
    asks: 'mute',
  },
  {
    action: 'unmute',
    get label() {
      return t`Unmute`;
    },
    icon: Bell,
  },
];

/** What can be done with the selected conversations, below the list. */
export function BulkBar({ selection, bulk }: { selection: Selection; bulk: Bulk }) {
  const { t } = useLingui();
  const { running, question, unconfirmed } = bulk;
  const count = selection.ids.size;
  return (
    <>
      {(count > 0 || running) && (
        <section className="bulk-bar" aria-label={t`Selected conversations`}>
          {running ? (
            <Running running={running} onStop={bulk.stop} />
          ) : (
            <>
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm" fw={600} role="status">
                  <Trans>{count} selected</Trans>
                </Text>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t`Clear the selection`}
                  onClick={selection.clear}
                >
                  <X size={16} aria-hidden />
                </ActionIcon>
              </Group>
              <Group gap={2}>
                {buttons.map(({ action, label, icon: Icon, asks }) => (
                  <ActionIcon
                    key={action}
                    variant="subtle"
                    color="gray"
                    size={30}
                    aria-label={label}
                    title={label}
                    onClick={() => (asks ? bulk.ask(asks) : bulk.start({ action }))}
                  >
                    <Icon size={17} aria-hidden />
                  </ActionIcon>
                ))}
              </Group>
            </>
          )}
        </section>
      )}
      <QuestionFor question={question} bulk={bulk} />
      <Confirm
        title={unconfirmed && t`Change ${count} conversations?`}
        action={t`Change ${count}`}
        onClose={bulk.dismiss}
        run={() => {
          bulk.confirm();
          return Promise.resolve();
        }}
      >
        {unconfirmed && wordsOf(unconfirmed.action)}{' '}
        <Trans>
          {count} conversations in {currentMode()} mode.
        </Trans>
      </Confirm>
    </>
  );
}

function Running({
  running: { sent, total },
  onStop,
}: {
  running: { sent: number; total: number };
  onStop(): void;
}) {
  const { t } = useLingui();
  return (
    <Group wrap="nowrap" gap="sm">
      <Text size="sm" role="status">
        <Trans>
          {sent} of {total}
        </Trans>
      </Text>
      <Progress flex={1} value={(sent / total) * 100} aria-label={t`Done so far`} />
      <Button size="compact-sm" variant="default" onClick={onStop}>
        <Trans>Stop</Trans>
      </Button>
    </Group>
  );
}

function QuestionFor({ question, bulk }: { question: BulkQuestion | null; bulk: Bulk }) {
  const { t } = useLingui();
  const onClose = () => bulk.ask(null);
  switch (question) {
    case null:
      return null;
    case 'assign':
      return (
        <AgentDialog
          onClose={onClose}
          onChoose={({ email }) => bulk.start({ action: 'assign', assignee: email })}
        />
      );
    case 'mute':
      return <MuteDialog onClose={onClose} onChoose={(until) => bulk.start({ action: 'mute', until })} />;
    case 'tag':
    case 'untag':
      return (
        <TagDialog
          title={question === 'tag' ? t`Tag` : t`Take off`}
          attached={[]}
          onClose={onClose}
          onChoose={({ id }) => bulk.start({ action: question, tag: id })}
        />
      );
  }
}

function wordsOf(action: BulkAction): string {
  return `${buttons.find((button) => button.action === action)?.label.replace('…', '') ?? action}:`;
}
