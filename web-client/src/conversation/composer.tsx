import { Trans, useLingui } from '@lingui/react/macro';
import { Button, CloseButton, Text } from '@mantine/core';
import { Lock, Paperclip } from 'lucide-react';
import { type ReactNode, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { useProfile } from '../account/use-profile.ts';
import { Attachments } from './attachments.tsx';
import { ContactNotice, SavedMark, useContact, WindowClosed } from './composer-notices.tsx';
import type { Mode } from './draft.ts';
import { draftsOf } from './draft-store.ts';
import { EmojiButton } from './emoji-button.tsx';
import { GapFields } from './gap-fields.tsx';
import { LockBanner } from './lock-banner.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { useLock } from './presence.ts';
import { SendButton } from './send-button.tsx';
import { SuggestList } from './suggest-list.tsx';
import type { ComposerHandle } from './thread-context.ts';
import { useComposer } from './use-composer.ts';
import { useComposerCommands } from './use-composer-commands.ts';
import { contactName } from './words.ts';

interface Props {
  conversation: Conversation;
  ref: React.Ref<ComposerHandle>;
}

/** Where one writes: an answer to the customer, or a note for colleagues. */
export function Composer({ conversation, ref }: Props) {
  const { t } = useLingui();
  const profile = useProfile();
  const [store] = useState(() => draftsOf(profile.email, conversation.id));
  const [mode, setMode] = useState<Mode>(store.mode);
  const lock = useLock(conversation.id);
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const composer = useComposer({ conversation, mode, setMode, store, me: profile.email, lock, ref });
  const { field, files, suggest, draft } = composer;
  const saved = useSyncExternalStore(store.subscribe, () => store.saved(mode));
  const contact = useContact(conversation.contact.id);
  const note = mode === 'note';
  const blocked = !note && contact?.blocked === true;
  const windowClosed = !note && !conversation.reply_window.open;
  const locked = !note && lock.other !== null;
  const mine = conversation.assignee?.email === profile.email;
  const attach = () => picker.current?.click();
  useComposerCommands({ focus: composer.focus, attach: note || blocked || windowClosed ? null : attach });
  return (
    <div
      className="thread-composer"
      data-mode={mode}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (!note) files.add([...event.dataTransfer.files]);
      }}
    >
      <LockBanner lock={lock} />
      <div className="thread-modes">
        <ModeSwitch mode={mode} onChange={composer.switchTo} />
        {note && (
          <Text size="sm" className="thread-private">
            <Lock size={13} aria-hidden /> <Trans>Only your team sees this</Trans>
          </Text>
        )}
      </div>
      {!note && <ContactNotice conversation={conversation} />}
      {windowClosed && !blocked && <WindowClosed conversation={conversation} />}
      {draft.replyTo && (
        <Chip
          label={t`Answers: ${draft.replyTo.snippet === '' ? t`Attachment` : draft.replyTo.snippet}`}
          remove={composer.unquote}
          name={t`the quote`}
        />
      )}
      <SuggestList id={`${id}-suggest`} suggest={suggest} conversation={conversation.id} />
      <textarea
        key={mode}
        ref={field}
        id={id}
        className="thread-field"
        rows={2}
        dir="auto"
        aria-label={note ? t`Private note` : t`Reply to ${contactName(conversation.contact)}`}
        placeholder={
          note ? t`Write a note. @ mentions a colleague.` : t`Write a reply. / finds a quick reply.`
        }
        defaultValue={draft.text}
        readOnly={locked || composer.pending}
        disabled={windowClosed || blocked}
        aria-controls={suggest.open ? `${id}-suggest` : undefined}
        aria-activedescendant={suggest.open ? `${id}-suggest-${suggest.at}` : undefined}
        {...composer.handlers}
      />
      <GapFields ref={composer.gapFields} gaps={note ? [] : composer.gaps} fill={composer.fill} />
      {note && draft.mentions.length > 0 && (
        <div className="thread-chips" aria-label={t`Mentions`} role="group">
          {draft.mentions.map(({ name, email }) => (
            <Chip key={email} label={`@${name}`} name={name} remove={() => composer.unmention(email)} />
          ))}
        </div>
      )}
      <Attachments files={files} />
      {composer.problem !== null && (
        <Text size="sm" c="var(--parlour-bad)" role="alert">
          {composer.problem}
        </Text>
      )}
      <div className="thread-actions">
        {!note && (
          <>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<Paperclip size={16} aria-hidden />}
              disabled={windowClosed || blocked}
              onClick={attach}
            >
              <Trans>Attach</Trans>
            </Button>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label={t`Files to attach`}
              onChange={({ currentTarget }) => {
                files.add([...(currentTarget.files ?? [])]);
                currentTarget.value = '';
              }}
            />
          </>
        )}
        <EmojiButton disabled={locked || windowClosed || blocked} onChoose={composer.insert} />
        <span className="thread-count" aria-live="polite">
          {composer.left !== null &&
            (composer.left < 0 ? t`${-composer.left} too many` : t`${composer.left} left`)}
        </span>
        <SavedMark saved={saved} />
        {!note && !mine && !locked && !windowClosed && !blocked && (
          <Button
            className="thread-wide"
            size="compact-md"
            variant="default"
            disabled={composer.pending}
            onClick={() => composer.send('take')}
          >
            <Trans>Assign to me and send</Trans>
          </Button>
        )}
        <SendButton
          note={note}
          disabled={locked || windowClosed || blocked}
          pending={composer.pending}
          mine={mine}
          send={composer.send}
        />
      </div>
    </div>
  );
}

function Chip({ label, name, remove }: { label: string; name: string; remove(): void }): ReactNode {
  const { t } = useLingui();
  return (
    <span className="thread-chip">
      <span>{label}</span>
      <CloseButton size="sm" aria-label={t`Remove ${name}`} onClick={remove} />
    </span>
  );
}
