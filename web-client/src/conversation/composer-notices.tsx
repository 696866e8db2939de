import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { useCan } from '../account/use-profile.ts';
import { trpc } from '../app/trpc.ts';
import type { Saved } from './draft-store.ts';
import { channelName, contactName } from './words.ts';
import { currentLocale } from '../language/language.ts';

const TemplateDialog = lazy(async () => ({
  default: (await import('./template-dialog.tsx')).TemplateDialog,
}));

/** What is known of the contact; undefined until then, and for who may not see contacts. */
export function useContact(id: string) {
  const can = useCan();
  return useQuery(trpc.contacts.show.queryOptions({ contact: id }, { enabled: can('contacts.view') })).data
    ?.data;
}

/** Why the customer can't be written to, or not about everything, and where that is changed. */
export function ContactNotice({ conversation: { contact } }: { conversation: Conversation }) {
  const { t } = useLingui();
  const known = useContact(contact.id);
  const name = contactName(contact);
  const link = (
    <Anchor underline="always" component={Link} to={`/contacts/${contact.id}`} size="sm">
      <Trans>Open the contact</Trans>
    </Anchor>
  );
  if (known?.blocked)
    return (
      <Alert color="red" variant="light" title={t`${name} is blocked.`}>
        <Trans>Nothing can be sent until the contact is unblocked. Notes are always possible. {link}</Trans>
      </Alert>
    );
  if (known && !known.subscribed)
    return (
      <Text size="sm" c="dimmed">
        {t`${name} takes no marketing messages. Answers are fine.`} {link}
      </Text>
    );
  return null;
}

/** Until the customer writes again, a template is all that the channel takes. */
export function WindowClosed({ conversation }: { conversation: Conversation }) {
  const { t } = useLingui();
  const { channel, reply_window: window } = conversation;
  const [choosing, setChoosing] = useState(false);
  const since =
    window.expires_at === null ? null : new Date(window.expires_at).toLocaleString(currentLocale());
  return (
    <Alert
      color="yellow"
      variant="light"
      title={
        since === null
          ? t`The reply window of ${channelName(channel)} is closed.`
          : t`The reply window of ${channelName(channel)} is closed since ${since}.`
      }
    >
      <Text size="sm" mb="xs">
        <Trans>
          Until the customer writes again, only an approved template can be sent. Notes are always possible.
        </Trans>
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => setChoosing(true)}>
        <Trans>Choose a template…</Trans>
      </Button>
      <Suspense fallback={null}>
        {choosing && <TemplateDialog conversation={conversation} onClose={() => setChoosing(false)} />}
      </Suspense>
    </Alert>
  );
}

/** Where the text that is being written is kept. */
export function SavedMark({ saved }: { saved: Saved }) {
  const { t } = useLingui();
  if (saved === 'nothing') return null;
  return (
    <span className="thread-saved">
      {saved === 'saving' && t`Saving…`}
      {saved === 'saved' && t`Saved`}
      {saved === 'here' && t`Kept in this browser`}
    </span>
  );
}
