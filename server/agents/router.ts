import { AgentBody, AgentList } from '../../schema/agents.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentAgent } from './present.ts';
import { deactivateAgent, listAgents, reactivateAgent, transferOwnership, updateAgent } from './service.ts';

const one = {
  output: AgentBody,
  present: (row: Parameters<typeof presentAgent>[0]) => ({ data: presentAgent(row) }),
};

/** The team, in the dashboard alone. */
export const agentsRouter = router({
  list: procedure(listAgents, { output: AgentList, present: (rows) => ({ data: rows.map(presentAgent) }) }),
  update: procedure(updateAgent, one),
  deactivate: procedure(deactivateAgent, one),
  reactivate: procedure(reactivateAgent, one),
  transferOwnership: procedure(transferOwnership, one),
});
