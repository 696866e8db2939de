import { z } from 'zod';
import { idOut, list, pathId, single } from './common.ts';

/** Online agents are given conversations by auto-assignment. */
export const availabilities = ['online', 'away', 'offline'] as const;
export type Availability = (typeof availabilities)[number];

/** Somebody who works in the company. Dashboard only. */
export const AgentRecord = z.strictObject({
  id: idOut,
  name: z.string(),
  email: z.string(),
  role: z.string().meta({ description: 'Name of the role.' }),
  availability: z.enum(availabilities),
  capacity: z
    .int()
    .nullable()
    .meta({ description: 'Open conversations auto-assignment may give; null: no limit.' }),
  open_conversations: z.int().min(0),
});
export type AgentRecord = z.infer<typeof AgentRecord>;

export const AvailabilityUpdate = z.object({ availability: z.enum(availabilities) });
export const CapacityUpdate = z.object({
  agent: pathId,
  capacity: z.int().min(0).max(10_000).nullable(),
});

export const AgentBody = single(AgentRecord);
export const AgentList = list(AgentRecord);
