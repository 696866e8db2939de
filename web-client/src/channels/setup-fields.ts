import type { Channel } from './channels-page.tsx';

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

const encryption = [
  { value: '', label: 'As the port says' },
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None' },
];
const asked = [
  { value: 'off', label: 'No' },
  { value: 'optional', label: 'May be left out' },
  { value: 'required', label: 'Yes' },
];

/** What a provider asks for. Credentials are kept encrypted and never shown again. */
export const setupFields: Partial<Record<Channel['kind'], readonly SetupField[]>> = {
  whatsapp: [
    { part: 'config', name: 'phone_number_id', label: 'Phone number id', required: true },
    { part: 'config', name: 'business_account_id', label: 'Business account id' },
    { part: 'credentials', name: 'access_token', label: 'Access token', input: 'secret', required: true },
    { part: 'credentials', name: 'app_secret', label: 'App secret', input: 'secret', required: true },
    { part: 'credentials', name: 'verify_token', label: 'Verify token', input: 'secret', required: true },
  ],
  email: [
    {
      part: 'config',
      name: 'address',
      label: 'Address',
      description: 'What customers write to, and see as the sender.',
      required: true,
    },
    {
      part: 'config',
      name: 'from_name',
      label: 'Sender’s name',
      description: 'The channel’s name unless given.',
    },
    { part: 'config', name: 'subject', label: 'Subject of threads that you begin' },
    {
      part: 'credentials',
      name: 'smtp_host',
      label: 'SMTP server',
      description: 'Empty: the mail server of this installation.',
      heading: 'Mail goes out over SMTP',
    },
    {
      part: 'credentials',
      name: 'smtp_port',
      label: 'SMTP port',
      input: 'number',
      description: '587 unless given.',
    },
    {
      part: 'credentials',
      name: 'smtp_encryption',
      label: 'SMTP encryption',
      input: 'choice',
      options: encryption,
    },
    { part: 'credentials', name: 'smtp_user', label: 'SMTP user' },
    { part: 'credentials', name: 'smtp_password', label: 'SMTP password', input: 'secret' },
    {
      part: 'credentials',
      name: 'imap_host',
      label: 'IMAP server',
      description: 'Empty: the channel only sends, or takes mail at its webhook.',
      heading: 'Mail comes in over IMAP',
    },
    {
      part: 'credentials',
      name: 'imap_port',
      label: 'IMAP port',
      input: 'number',
      description: '993 unless given.',
    },
    {
      part: 'credentials',
      name: 'imap_encryption',
      label: 'IMAP encryption',
      input: 'choice',
      options: encryption,
    },
    { part: 'credentials', name: 'imap_user', label: 'IMAP user' },
    { part: 'credentials', name: 'imap_password', label: 'IMAP password', input: 'secret' },
    { part: 'config', name: 'mailbox', label: 'IMAP folder', usual: 'INBOX' },
    {
      part: 'credentials',
      name: 'webhook_secret',
      label: 'Webhook secret',
      input: 'secret',
      description:
        'Instead of IMAP: what receives your mail posts it, signed with this. At least 16 characters.',
    },
  ],
  webchat: [
    { part: 'config', name: 'title', label: 'Title of the window' },
    { part: 'config', name: 'greeting', label: 'Greeting' },
    { part: 'config', name: 'color', label: 'Colour', input: 'color', usual: '#1d4ed8' },
    {
      part: 'config',
      name: 'position',
      label: 'Corner',
      input: 'choice',
      options: [
        { value: 'right', label: 'Right' },
        { value: 'left', label: 'Left' },
      ],
    },
    {
      part: 'config',
      name: 'allowed_origins',
      label: 'Pages that may show it',
      input: 'lines',
      description:
        'One origin a line, such as https://shop.example or https://*.shop.example. None: only our own.',
    },
    { part: 'config', name: 'ask_name', label: 'Ask for the name', input: 'choice', options: asked },
    { part: 'config', name: 'ask_email', label: 'Ask for the e-mail', input: 'choice', options: asked },
  ],
};
