import { tags } from './content.ts';
import { type Dataset, emptyDataset } from './dataset.ts';
import { type FixtureIds, fixtureIds } from './ids.ts';
import type { Agent } from './thread.ts';

/** The twin that is filled, and the live company that its ids and values are a function of. */
export interface Twin {
  liveCompanyId: string;
  companyId: string;
  currency: string;
  /** The twin's mirror of the live owner. */
  owner: Agent;
}

/** What the parts of the fixtures share while they are put together. */
export interface Stage extends Twin {
  id: FixtureIds;
  channelId: string;
  contactId(key: string): string;
  tag(key: string): { id: string; name: string; color: string };
  rows: Dataset;
}

/** When the sandbox shop opened; every fixture's time is fixed, none depends on the clock. */
export const opened = new Date('2026-01-05T08:00:00.000Z');

/** Conversations are named before their first entry is known to the parts that refer to them. */
export function conversationId(id: FixtureIds, key: string): string {
  return id(`conversation/${key}`, opened);
}

/** An empty stage for a twin. */
export function openStage(twin: Twin): Stage {
  const id = fixtureIds(twin.liveCompanyId);
  const byKey = new Map<string, (typeof tags)[number]>(tags.map((tag) => [tag.key, tag]));
  return {
    ...twin,
    id,
    channelId: id('channel/simulator', opened),
    contactId: (key) => id(`contact/${key}`, opened),
    tag(key) {
      const tag = byKey.get(key);
      if (!tag) throw new Error(`No tag ${key}.`);
      return { id: id(`tag/${key}`, opened), name: tag.name, color: tag.color };
    },
    rows: emptyDataset(),
  };
}
