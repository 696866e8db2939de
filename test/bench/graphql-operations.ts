import type { LoadRequest } from './load.ts';
import type { Operation } from './operations.ts';
import type { Samples } from './samples.ts';

const contactFields = 'name phone email country subscribed blocked source createdAt updatedAt';
const conversationFields =
  'status channelKind archived muted unreadCount rating lastMessageAt createdAt updatedAt lastMessage';

/**
 * The same records, with the same relations, of Parlour and of PostGraphile: it names fields by keys and does not keep
 * one company from another, and the newest contact is the one with the last id.
 */
export function graphqlOperations({ contacts, company }: Samples): Operation[] {
  return [
    {
      name: 'contact over GraphQL',
      goal: 0.9,
      against: 'postgraphile',
      requests: asked(
        `query ($id: ID!) { contact(contact: $id) { id ${contactFields} } }`,
        contacts.map((id) => ({ id })),
      ),
      theirRequests: asked(
        `query ($company: String!, $id: String!) {
          contactByCompanyIdAndRowId(companyId: $company, rowId: $id) { rowId ${contactFields} }
        }`,
        contacts.map((id) => ({ company, id })),
      ),
    },
    {
      name: 'contacts with tags over GraphQL',
      goal: 0.6,
      against: 'postgraphile',
      requests: asked(
        `{ contacts(first: 25) { items { id ${contactFields} tags { id name color } } nextCursor } }`,
      ),
      theirRequests: asked(
        `query ($company: String!) {
          allContacts(first: 25, orderBy: PRIMARY_KEY_DESC, condition: { companyId: $company }) {
            nodes {
              rowId ${contactFields}
              contactTagsByCompanyIdAndContactId(first: 25) {
                nodes { tagByCompanyIdAndTagId { rowId name color } }
              }
            }
            pageInfo { endCursor }
          }
        }`,
        [{ company }],
      ),
    },
    {
      name: 'conversations with relations over GraphQL',
      goal: 0.6,
      against: 'postgraphile',
      requests: asked(
        `{
          conversations(first: 25) {
            items {
              id status channel archived muted read rating lastMessageAt createdAt updatedAt
              lastMessage { id direction type status snippet at }
              contact { id name phone email }
              assignee { name email }
              tags { id name color }
            }
            nextCursor
          }
        }`,
      ),
      theirRequests: asked(
        `query ($company: String!) {
          allConversations(first: 25, orderBy: LAST_MESSAGE_AT_DESC, condition: { companyId: $company }) {
            nodes {
              rowId ${conversationFields}
              contactByCompanyIdAndContactId { rowId name phone email }
              userByCompanyIdAndAssigneeId { displayName email }
              conversationTagsByCompanyIdAndConversationId(first: 25) {
                nodes { tagByCompanyIdAndTagId { rowId name color } }
              }
            }
            pageInfo { endCursor }
          }
        }`,
        [{ company }],
      ),
    },
  ];
}

function asked(query: string, all: readonly object[] = [{}]): LoadRequest[] {
  return all.map((variables) => ({
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query, variables }),
  }));
}
