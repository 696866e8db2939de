import pg from 'pg';
import { createCompany } from '../../../server/account/companies.ts';
import { createCampaign } from '../../../server/campaigns/service.ts';
import { sendCampaign } from '../../../server/campaigns/transitions.ts';
import { createChannel } from '../../../server/channels/service.ts';
import { execute } from '../../../server/platform/operation.ts';
import { systemContext } from '../../../server/platform/system-context.ts';
import { seedCompany } from '../../../server/seed/seed.ts';
import { cpuOf } from '../cpu.ts';
import { inHouse } from '../house.ts';
import type { Trial, TrialPlace } from '../trial.ts';

/** The most that a channel may be set to. */
const rate = 1_000;

/** A campaign to everybody of a company, over one number of the simulator. */
export const campaign: Trial = {
  name: 'campaign of 10,000',
  async run(place) {
    const contacts = place.small ? 20 : 10_000;
    const { pid } = await place.parlour();
    const before = cpuOf(pid);
    const company = await launch(place, contacts);
    const { seconds, sent } = await progress(place, company);
    return [
      {
        name: 'campaign of 10,000, recipients',
        value: sent / seconds,
        unit: '/s',
        goal: { least: rate },
        how: `${sent.toLocaleString('en')} sent over one number that takes ${rate.toLocaleString('en')} a second`,
      },
      {
        name: 'campaign of 10,000, server CPU of a recipient',
        value: (cpuOf(pid) - before) / sent,
        unit: 'µs',
      },
    ];
  },
};

function launch(place: TrialPlace, contacts: number): Promise<string> {
  return inHouse({ databaseUrl: place.url, dataDir: place.folder }, async (app) => {
    const { company } = await createCompany(app, {
      name: 'Campaigning',
      ownerEmail: `owner-${process.pid}@campaigning.example`,
      ownerPassword: 'correct horse battery',
    });
    const ctx = await systemContext(app, company);
    await execute(createChannel, ctx, {
      kind: 'simulator',
      name: 'Simulator',
      config: { delays: { sent: 0, delivered: 0, read: 0 } },
      campaign_rate: rate,
    });
    await seedCompany(place.url, {
      companyId: company,
      seed: 'campaign',
      contacts,
      conversations: 0,
      messages: 0,
      products: 0,
      orders: 0,
    });
    const { id } = await execute(createCampaign, ctx, {
      name: 'Spring',
      text: 'Hello {{contact.first_name|there}}',
    });
    await execute(sendCampaign, ctx, { campaign: id });
    return company;
  });
}

/** How far it has come when it is through, or after half a minute of sending. */
async function progress(place: TrialPlace, company: string): Promise<{ seconds: number; sent: number }> {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  try {
    const end = performance.now() + 60_000;
    for (;;) {
      const { rows } = await client.query<{ status: string; seconds: number | null; sent: number }>(
        `SELECT status, sent, extract(epoch FROM coalesce(completed_at, now()) - started_at)::float8 AS seconds
         FROM campaigns WHERE company_id = $1`,
        [company],
      );
      const [found] = rows;
      const { status, seconds = null, sent = 0 } = found ?? {};
      if (seconds !== null && (status === 'completed' || seconds > 30)) return { seconds, sent };
      if (status === 'paused' || performance.now() > end)
        throw new Error(`The campaign is not under way: ${JSON.stringify(found)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    await client.end();
  }
}
