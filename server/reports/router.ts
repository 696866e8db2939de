import { ConversationPage } from '../../schema/conversations.ts';
import { AgentRows, CampaignRows, CsatBody, ReportBody, TagRows } from '../../schema/reports.ts';
import { presentInbox } from '../conversations/present-inbox.ts';
import { procedure, router } from '../platform/trpc.ts';
import {
  agentReport,
  campaignReport,
  csatReport,
  firstResponseReport,
  reportConversations,
  resolutionReport,
  tagReport,
  volumeReport,
} from './service.ts';

const data = <T>(found: T) => ({ data: found });

/** Figures of the inbox and of campaigns, and the conversations behind each. */
export const reportsRouter = router({
  volume: procedure(volumeReport, { output: ReportBody, present: data }),
  firstResponse: procedure(firstResponseReport, { output: ReportBody, present: data }),
  resolution: procedure(resolutionReport, { output: ReportBody, present: data }),
  csat: procedure(csatReport, { output: CsatBody, present: data }),
  byAgent: procedure(agentReport, { output: AgentRows, present: data }),
  byTag: procedure(tagReport, { output: TagRows, present: data }),
  campaignRevenue: procedure(campaignReport, { output: CampaignRows, present: data }),
  conversations: procedure(reportConversations, { output: ConversationPage, present: presentInbox }),
});
