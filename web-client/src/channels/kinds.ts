import type { Channel } from './channels-page.tsx';

export const kindNames: Record<Channel['kind'], string> = {
  simulator: 'Simulator',
  webchat: 'Web chat',
  whatsapp: 'WhatsApp',
  messenger: 'Messenger',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  sms: 'SMS',
  email: 'E-mail',
  api: 'API',
};

/** Kinds that can be made here. */
export const makeable = ['whatsapp', 'webchat', 'simulator'] as const;

interface SetupField {
  part: 'config' | 'credentials';
  name: string;
  label: string;
  required?: true;
}

/** What a provider asks for. Credentials are kept encrypted and never shown again. */
export const setupFields: Partial<Record<Channel['kind'], readonly SetupField[]>> = {
  whatsapp: [
    { part: 'config', name: 'phone_number_id', label: 'Phone number id', required: true },
    { part: 'config', name: 'business_account_id', label: 'Business account id' },
    { part: 'credentials', name: 'access_token', label: 'Access token', required: true },
    { part: 'credentials', name: 'app_secret', label: 'App secret', required: true },
    { part: 'credentials', name: 'verify_token', label: 'Verify token', required: true },
  ],
};
