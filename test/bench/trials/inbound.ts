import { Pool } from 'undici';
import { createChannel } from '../../../server/channels/service.ts';
import { execute } from '../../../server/platform/operation.ts';
import { systemContext } from '../../../server/platform/system-context.ts';
import {
  appSecret,
  businessAccountId,
  phoneNumberId,
  signature,
  token,
  verifyToken,
  webhookBody,
  WhatsappStandIn,
  whatsappMessage,
} from '../../support/whatsapp-stand-in.ts';
import { inHouse } from '../house.ts';
import { paced } from '../rest.ts';
import { percentile } from '../times.ts';
import type { Finding, Trial, TrialPlace } from '../trial.ts';

const perSecond = 50;

/** A provider posts customers' messages: how soon it has our word that they are kept. */
export const inbound: Trial = {
  name: 'inbound provider webhook',
  async run(place) {
    const provider = await WhatsappStandIn.start();
    try {
      return await measure(place, provider.url);
    } finally {
      await provider.stop();
    }
  },
};

async function measure(place: TrialPlace, providerUrl: string): Promise<Finding[]> {
  const variables = {
    WHATSAPP_API_URL: providerUrl,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: '1',
  };
  const at = { databaseUrl: place.url, dataDir: place.folder, variables };
  const channel = await inHouse(at, async (app) => {
    const made = await execute(createChannel, await systemContext(app, place.company), {
      kind: 'whatsapp',
      name: 'WhatsApp',
      config: { phone_number_id: phoneNumberId, business_account_id: businessAccountId },
      credentials: { access_token: token, app_secret: appSecret, verify_token: verifyToken },
    });
    return made.id;
  });
  const { url } = await place.parlour(variables);
  const pool = new Pool(url, { connections: 8, pipelining: 1 });
  const times: number[] = [];
  const post = async (n: number) => {
    const from = `3519${20_000_000 + (n % 500)}`;
    const body = webhookBody({
      messages: [whatsappMessage({ type: 'text', text: { body: `Hello ${n}` } }, from)],
    });
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature(body) };
    const started = performance.now();
    const answer = await pool.request({
      method: 'POST',
      path: `/channels/${channel}/webhook`,
      headers,
      body,
    });
    await answer.body.dump();
    times.push(performance.now() - started);
    if (answer.statusCode !== 200) throw new Error(`The webhook answered ${answer.statusCode}.`);
  };
  const count = place.small ? 10 : 500;
  await paced(count, perSecond, post);
  times.length = 0;
  await paced(count, perSecond, post);
  await pool.close();
  const how = `${perSecond} messages/s, worked on meanwhile`;
  return [
    {
      name: 'inbound provider webhook, p50',
      value: percentile(times, 0.5),
      unit: 'ms',
      goal: { most: 10 },
      how,
    },
    {
      name: 'inbound provider webhook, p99',
      value: percentile(times, 0.99),
      unit: 'ms',
      goal: { most: 100 },
      how,
    },
  ];
}
