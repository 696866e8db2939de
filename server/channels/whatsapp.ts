import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { WhatsappConfig, WhatsappCredentials, WhatsappTemplates } from '../../schema/whatsapp.ts';
import { parsePhone } from '../contacts/phone.ts';
import { sameSecret } from '../platform/compare.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import type { ChannelAdapter, ChannelRef, Setup, WebhookCall, WebhookTold } from './adapter.ts';
import { WhatsappApi, whatsappOf } from './whatsapp-api.ts';
import { readWhatsapp, whatsappValues } from './whatsapp-inbound.ts';
import { sendWhatsapp } from './whatsapp-send.ts';

const Payload = z.object({ values: z.array(z.unknown()) });

/** WhatsApp through Meta's Cloud API. */
export const whatsapp: ChannelAdapter = {
  kind: 'whatsapp',
  // Meta has no key that makes a repeated call the same message: an outcome that is not known is not tried again.
  capabilities: { reference: false, templates: true, media: true },
  patience: 30_000,
  readConfig: (config) => WhatsappConfig.parse(config),
  credentials: WhatsappCredentials,
  check,
  address: (text) => parsePhone(text.startsWith('+') ? text : `+${text}`)?.number ?? null,
  ownAddress: 'phone',
  refusal: () => null,
  isMarketing: ({ templates }, { name, language }) => {
    const known = WhatsappTemplates.parse(templates).find(
      (one) => one.name === name && one.language === language,
    );
    // One that is not known may be marketing.
    return known?.category !== 'UTILITY' && known?.category !== 'AUTHENTICATION';
  },
  rehearse: () => null,
  send: sendWhatsapp,
  receive: (payload) => readWhatsapp(Payload.parse(payload).values),
  webhook,
  fetchMedia: (app, channel, { reference }, signal) => whatsappOf(app, channel).api.file(reference, signal),
};

/** Whether the token may use the number. */
async function check(app: Services, setup: Setup, signal: AbortSignal): Promise<void> {
  const { phone_number_id: number } = WhatsappConfig.parse(setup.config);
  const { access_token: token } = WhatsappCredentials.parse(setup.credentials);
  const { status, error } = await new WhatsappApi(app, token).get(
    `/${number}?fields=display_phone_number,verified_name`,
    signal,
  );
  if (status === 200) return;
  if (status === 401 || status === 403 || error?.code === 190)
    throw invalidField(
      'credentials.access_token',
      'not_allowed',
      'WhatsApp does not accept the access token.',
    );
  if (status < 500 && status !== 429)
    throw invalidField(
      'config.phone_number_id',
      'unknown_id',
      'WhatsApp knows no such number, or the token may not use it.',
    );
  throw new Error(`WhatsApp answered ${status}.`);
}

/** Meta proves itself by an HMAC of the raw body with the app's secret; once, at set-up, by the word agreed on. */
async function webhook(app: Services, channel: ChannelRef, call: WebhookCall): Promise<WebhookTold> {
  const { config, credentials } = whatsappOf(app, channel);
  if (call.method === 'GET') {
    const challenge = call.query.get('hub.challenge');
    const known = sameSecret(call.query.get('hub.verify_token') ?? '', credentials.verify_token);
    if (call.query.get('hub.mode') !== 'subscribe' || challenge === null || !known)
      throw new AppError('forbidden');
    return { challenge };
  }
  const body = await call.body();
  const expected = `sha256=${createHmac('sha256', credentials.app_secret).update(body).digest('hex')}`;
  if (!sameSecret(call.header('x-hub-signature-256') ?? '', expected)) throw new AppError('forbidden');
  return { payload: { values: valuesIn(body, config.phone_number_id) } };
}

function valuesIn(body: Buffer, phoneNumberId: string): object[] {
  try {
    return whatsappValues(JSON.parse(body.toString()), phoneNumberId);
  } catch {
    throw new AppError('bad_request', 'Is no webhook of a WhatsApp business account.');
  }
}
