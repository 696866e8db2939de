import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { Db } from '../platform/database.ts';

/** Rows of one company by table, ready to be inserted together. */
export interface Dataset {
  channels: Prisma.ChannelCreateManyInput[];
  tags: Prisma.TagCreateManyInput[];
  contacts: Prisma.ContactCreateManyInput[];
  identities: Prisma.ContactIdentityCreateManyInput[];
  contactTags: Prisma.ContactTagCreateManyInput[];
  contactTagChanges: Prisma.ContactTagChangeCreateManyInput[];
  quickReplies: Prisma.QuickReplyCreateManyInput[];
  products: Prisma.ProductCreateManyInput[];
  conversations: Prisma.ConversationCreateManyInput[];
  conversationTags: Prisma.ConversationTagCreateManyInput[];
  followers: Prisma.ConversationFollowerCreateManyInput[];
  campaigns: Prisma.CampaignCreateManyInput[];
  orders: Prisma.OrderCreateManyInput[];
  orderItems: Prisma.OrderItemCreateManyInput[];
  orderChanges: Prisma.OrderStatusChangeCreateManyInput[];
  movements: Prisma.StockMovementCreateManyInput[];
  messages: Prisma.MessageCreateManyInput[];
  notes: Prisma.NoteCreateManyInput[];
  mentions: Prisma.NoteMentionCreateManyInput[];
  timeline: Prisma.TimelineEventCreateManyInput[];
  recipients: Prisma.CampaignRecipientCreateManyInput[];
  feedback: Prisma.AiFeedbackCreateManyInput[];
  insights: Prisma.AiInsightCreateManyInput[];
  suggestions: Prisma.AiSuggestionCreateManyInput[];
  bookings: Prisma.BookingCreateManyInput[];
}

export function emptyDataset(): Dataset {
  return {
    channels: [],
    tags: [],
    contacts: [],
    identities: [],
    contactTags: [],
    contactTagChanges: [],
    quickReplies: [],
    products: [],
    conversations: [],
    conversationTags: [],
    followers: [],
    campaigns: [],
    orders: [],
    orderItems: [],
    orderChanges: [],
    movements: [],
    messages: [],
    notes: [],
    mentions: [],
    timeline: [],
    recipients: [],
    feedback: [],
    insights: [],
    suggestions: [],
    bookings: [],
  };
}

/** Inserts the rows, what is referred to before what refers to it. One statement a table; `db` is a transaction. */
export async function insertDataset(db: Db, rows: Dataset): Promise<void> {
  await db.channel.createMany({ data: rows.channels });
  await db.tag.createMany({ data: rows.tags });
  await db.contact.createMany({ data: rows.contacts });
  await db.contactIdentity.createMany({ data: rows.identities });
  await db.contactTag.createMany({ data: rows.contactTags });
  await db.contactTagChange.createMany({ data: rows.contactTagChanges });
  await db.quickReply.createMany({ data: rows.quickReplies });
  await db.product.createMany({ data: rows.products });
  await db.conversation.createMany({ data: rows.conversations });
  await db.conversationTag.createMany({ data: rows.conversationTags });
  await db.conversationFollower.createMany({ data: rows.followers });
  await db.campaign.createMany({ data: rows.campaigns });
  await db.order.createMany({ data: rows.orders });
  await db.orderItem.createMany({ data: rows.orderItems });
  await db.orderStatusChange.createMany({ data: rows.orderChanges });
  await db.stockMovement.createMany({ data: rows.movements });
  await db.message.createMany({ data: rows.messages });
  await db.note.createMany({ data: rows.notes });
  await db.noteMention.createMany({ data: rows.mentions });
  await db.timelineEvent.createMany({ data: rows.timeline });
  await db.campaignRecipient.createMany({ data: rows.recipients });
  await db.aiFeedback.createMany({ data: rows.feedback });
  await db.aiInsight.createMany({ data: rows.insights });
  await db.aiSuggestion.createMany({ data: rows.suggestions });
  await db.booking.createMany({ data: rows.bookings });
}
