import { copyTable } from './copy.ts';

/** Tables that the seed fills, with the fields that its rows have. */
export const tables = {
  contacts: copyTable(
    'contacts',
    'companyId id name phone phoneKey email country locale subscribed blocked source unsubscribedAt blockedAt createdAt updatedAt',
  ),
  identities: copyTable('contact_identities', 'companyId id contactId channelId address createdAt'),
  products: copyTable(
    'products',
    'companyId id name sku description price currency status stock reserved createdAt updatedAt',
  ),
  conversations: copyTable(
    'conversations',
    'companyId id contactId channelId channelKind status archived muted mutedUntil unreadCount assigneeId tagIds rating ' +
      'ratingComment ratedAt lastMessage lastMessageAt lastEntryAt lastInboundAt waitingSince firstResponseAt aiAutoReply ' +
      'closedAt closedBy createdAt updatedAt',
  ),
  messages: copyTable(
    'messages',
    'companyId id conversationId contactId channelId direction type text authorType authorId authorName authorEmail status ' +
      'failureCode failureMessage aiGenerated attempts at createdAt updatedAt sentAt deliveredAt readAt failedAt',
  ),
  notes: copyTable(
    'notes',
    'companyId id conversationId contactId text authorType authorId authorName authorEmail at createdAt',
  ),
  timeline: copyTable(
    'timeline_events',
    'companyId id conversationId type authorType authorId authorName authorEmail data at',
  ),
  conversationTags: copyTable('conversation_tags', 'companyId conversationId tagId attachedAt attachedBy'),
  feedback: copyTable('ai_feedback', 'companyId id messageId createdAt'),
  orders: copyTable(
    'orders',
    'companyId id number contactId conversationId status paymentStatus currency subtotal discount shippingFee tax total ' +
      'notes cancelReason source placedAt paidAt shippedAt completedAt cancelledAt createdAt updatedAt',
  ),
  orderItems: copyTable(
    'order_items',
    'companyId id orderId position productId name sku quantity unitPrice total',
  ),
  orderChanges: copyTable(
    'order_status_changes',
    'companyId id orderId fromStatus status paymentStatus note actor at',
  ),
  movements: copyTable(
    'stock_movements',
    'companyId id productId orderId kind quantity stockAfter actor note at',
  ),
};
