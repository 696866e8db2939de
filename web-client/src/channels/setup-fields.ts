import { t } from '@lingui/core/macro';
import type { Channel } from './channels-page.tsx';
import { encryption, asked } from './setup-options.ts';

export interface SetupField {
  part: 'config' | 'credentials';
  name: string;
  label: string;
  description?: string;
  required?: true;
  /** Text unless given; `lines` is one value a line. */
  input?: 'secret' | 'number' | 'color' | 'lines' | 'choice';
  /** Of a choice; the first is what counts where nothing is said. */
  options?: readonly { value: string; label: string }[];
  /** What counts where nothing is said. */
  usual?: string;
  /** Heading that the field begins. */
  heading?: string;
}

export const setupFields: Partial<Record<Channel['kind'], readonly SetupField[]>> = {
  whatsapp: [
    {
      part: 'config',
      name: 'phone_number_id',
      get label() {
        return t`Phone number id`;
      },
      required: true,
    },
    {
      part: 'config',
      name: 'business_account_id',
      get label() {
        return t`Business account id`;
      },
    },
    {
      part: 'credentials',
      name: 'access_token',
      get label() {
        return t`Access token`;
      },
      input: 'secret',
      required: true,
    },
    {
      part: 'credentials',
      name: 'app_secret',
      get label() {
        return t`App secret`;
      },
      input: 'secret',
      required: true,
    },
    {
      part: 'credentials',
      name: 'verify_token',
      get label() {
        return t`Verify token`;
      },
      input: 'secret',
      required: true,
    },
  ],
  email: [
    {
      part: 'config',
      name: 'address',
      get label() {
        return t`Address`;
      },
      get description() {
        return t`What customers write to, and see as the sender.`;
      },
      required: true,
    },
    {
      part: 'config',
      name: 'from_name',
      get label() {
        return t`Sender’s name`;
      },
      get description() {
        return t`The channel’s name unless given.`;
      },
    },
    {
      part: 'config',
      name: 'subject',
      get label() {
        return t`Subject of threads that you begin`;
      },
    },
    {
      part: 'credentials',
      name: 'smtp_host',
      get label() {
        return t`SMTP server`;
      },
      get description() {
        return t`Empty: the mail server of this installation.`;
      },
      get heading() {
        return t`Mail goes out over SMTP`;
      },
    },
    {
      part: 'credentials',
      name: 'smtp_port',
      get label() {
        return t`SMTP port`;
      },
      input: 'number',
      get description() {
        return t`587 unless given.`;
      },
    },
    {
      part: 'credentials',
      name: 'smtp_encryption',
      get label() {
        return t`SMTP encryption`;
      },
      input: 'choice',
      options: encryption,
    },
    {
      part: 'credentials',
      name: 'smtp_user',
      get label() {
        return t`SMTP user`;
      },
    },
    {
      part: 'credentials',
      name: 'smtp_password',
      get label() {
        return t`SMTP password`;
      },
      input: 'secret',
    },
    {
      part: 'credentials',
      name: 'imap_host',
      get label() {
        return t`IMAP server`;
      },
      get description() {
        return t`Empty: the channel only sends, or takes mail at its webhook.`;
      },
      get heading() {
        return t`Mail comes in over IMAP`;
      },
    },
    {
      part: 'credentials',
      name: 'imap_port',
      get label() {
        return t`IMAP port`;
      },
      input: 'number',
      get description() {
        return t`993 unless given.`;
      },
    },
    {
      part: 'credentials',
      name: 'imap_encryption',
      get label() {
        return t`IMAP encryption`;
      },
      input: 'choice',
      options: encryption,
    },
    {
      part: 'credentials',
      name: 'imap_user',
      get label() {
        return t`IMAP user`;
      },
    },
    {
      part: 'credentials',
      name: 'imap_password',
      get label() {
        return t`IMAP password`;
      },
      input: 'secret',
    },
    {
      part: 'config',
      name: 'mailbox',
      get label() {
        return t`IMAP folder`;
      },
      usual: 'INBOX',
    },
    {
      part: 'credentials',
      name: 'webhook_secret',
      get label() {
        return t`Webhook secret`;
      },
      input: 'secret',
      get description() {
        return t`Instead of IMAP: what receives your mail posts it, signed with this. At least 16 characters.`;
      },
    },
  ],
  webchat: [
    {
      part: 'config',
      name: 'title',
      get label() {
        return t`Title of the window`;
      },
    },
    {
      part: 'config',
      name: 'greeting',
      get label() {
        return t`Greeting`;
      },
    },
    {
      part: 'config',
      name: 'color',
      get label() {
        return t`Colour`;
      },
      input: 'color',
      usual: '#1d4ed8',
    },
    {
      part: 'config',
      name: 'position',
      get label() {
        return t`Corner`;
      },
      input: 'choice',
      options: [
        {
          value: 'right',
          get label() {
            return t`Right`;
          },
        },
        {
          value: 'left',
          get label() {
            return t`Left`;
          },
        },
      ],
    },
    {
      part: 'config',
      name: 'allowed_origins',
      get label() {
        return t`Pages that may show it`;
      },
      input: 'lines',
      get description() {
        return t`One origin a line, such as https://shop.example or https://*.shop.example. None: only our own.`;
      },
    },
    {
      part: 'config',
      name: 'ask_name',
      get label() {
        return t`Ask for the name`;
      },
      input: 'choice',
      options: asked,
    },
    {
      part: 'config',
      name: 'ask_email',
      get label() {
        return t`Ask for the e-mail`;
      },
      input: 'choice',
      options: asked,
    },
  ],
};
