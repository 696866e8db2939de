import { t } from '@lingui/core/macro';
import type { Channel } from './channels-page.tsx';

export const kindNames: Record<Channel['kind'], string> = {
  get simulator() {
    return t`Simulator`;
  },
  get webchat() {
    return t`Web chat`;
  },
  whatsapp: 'WhatsApp',
  messenger: 'Messenger',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  sms: 'SMS',
  email: 'E-mail',
  api: 'API',
};

/** Kinds that can be made here. */
export const makeable = ['whatsapp', 'email', 'webchat', 'simulator'] as const;
