import { t } from '@lingui/core/macro';

const areas: Readonly<Record<string, string>> = {
  get account() {
    return t`Account`;
  },
  get agents() {
    return t`Agents`;
  },
  get ai() {
    return t`AI`;
  },
  get bookings() {
    return t`Bookings`;
  },
  get campaigns() {
    return t`Campaigns`;
  },
  get channels() {
    return t`Channels`;
  },
  get company() {
    return t`Company`;
  },
  get contacts() {
    return t`Contacts`;
  },
  get conversations() {
    return t`Conversations`;
  },
  get invitations() {
    return t`Invitations`;
  },
  get keys() {
    return t`Keys`;
  },
  get messages() {
    return t`Messages`;
  },
  get orders() {
    return t`Orders`;
  },
  get privacy() {
    return t`Privacy`;
  },
  get products() {
    return t`Products`;
  },
  get quickReplies() {
    return t`Quick replies`;
  },
  get roles() {
    return t`Roles`;
  },
  get tags() {
    return t`Tags`;
  },
  get teams() {
    return t`Teams`;
  },
  get webhooks() {
    return t`Webhooks`;
  },
};

const verbs: Readonly<Record<string, string>> = {
  get create() {
    return t({ message: 'create', context: 'what was done' });
  },
  get update() {
    return t({ message: 'update', context: 'what was done' });
  },
  get delete() {
    return t({ message: 'delete', context: 'what was done' });
  },
  get advance() {
    return t({ message: 'advance', context: 'what was done' });
  },
  get bulk() {
    return t({ message: 'bulk', context: 'what was done' });
  },
  get erase() {
    return t({ message: 'erase', context: 'what was done' });
  },
  get addNote() {
    return t({ message: 'add note', context: 'what was done' });
  },
  get detachTag() {
    return t({ message: 'detach tag', context: 'what was done' });
  },
  get settings() {
    return t({ message: 'settings', context: 'what was done' });
  },
  get markRead() {
    return t({ message: 'mark read', context: 'what was done' });
  },
  get bulkTag() {
    return t({ message: 'bulk tag', context: 'what was done' });
  },
  get save() {
    return t({ message: 'save', context: 'what was done' });
  },
  get send() {
    return t({ message: 'send', context: 'what was done' });
  },
  get cancel() {
    return t({ message: 'cancel', context: 'what was done' });
  },
  get rotateSecret() {
    return t({ message: 'rotate secret', context: 'what was done' });
  },
  get resend() {
    return t({ message: 'resend', context: 'what was done' });
  },
  get resendRange() {
    return t({ message: 'resend range', context: 'what was done' });
  },
  get revoke() {
    return t({ message: 'revoke', context: 'what was done' });
  },
  get pause() {
    return t({ message: 'pause', context: 'what was done' });
  },
  get resume() {
    return t({ message: 'resume', context: 'what was done' });
  },
  get schedule() {
    return t({ message: 'schedule', context: 'what was done' });
  },
  get deactivate() {
    return t({ message: 'deactivate', context: 'what was done' });
  },
  get reactivate() {
    return t({ message: 'reactivate', context: 'what was done' });
  },
  get assign() {
    return t({ message: 'assign', context: 'what was done' });
  },
  get transfer() {
    return t({ message: 'transfer', context: 'what was done' });
  },
  get close() {
    return t({ message: 'close', context: 'what was done' });
  },
  get reopen() {
    return t({ message: 'reopen', context: 'what was done' });
  },
  get block() {
    return t({ message: 'block', context: 'what was done' });
  },
  get unblock() {
    return t({ message: 'unblock', context: 'what was done' });
  },
};

/** Areas that changes are made in. */
export const auditAreas = Object.keys(areas);

/** `quickReplies.markRead` is "Quick replies: mark read". */
export function actionText(name: string): string {
  const [area = '', verb] = name.split('.');
  const title = areas[area] ?? capital(plain(area));
  return verb === undefined ? title : `${title}: ${verbs[verb] ?? plain(verb)}`;
}

function plain(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
