import { lexicographicSortSchema, printSchema } from 'graphql';
import './account/graphql.ts';
import './ai/graphql.ts';
import './ai/graphql-insights.ts';
import './audit/graphql.ts';
import './bookings/graphql.ts';
import './campaigns/graphql.ts';
import './channels/graphql.ts';
import './contacts/graphql.ts';
import './orders/graphql.ts';
import './products/graphql.ts';
import './conversations/graphql.ts';
import './messages/graphql.ts';
import './drafts/graphql.ts';
import './notifications/graphql.ts';
import './privacy/graphql.ts';
import './quick-replies/graphql.ts';
import './realtime/graphql.ts';
import './tags/graphql.ts';
import './teams/graphql.ts';
import './views/graphql.ts';
import './webchat/graphql.ts';
import { builder } from './platform/graphql.ts';

/** The whole service as GraphQL sees it: what the domains added to the builder. */
export const graphqlSchema = builder.toSchema();

/** The schema as text, the same for the same schema: `schema/schema.graphql`. */
export function printGraphqlSchema(): string {
  return `${printSchema(lexicographicSortSchema(graphqlSchema))}\n`;
}
