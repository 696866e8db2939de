import type { Db } from '../platform/database.ts';
import { parsePhone } from '../contacts/phone.ts';
import { addAiWork } from './ai.ts';
import { addCommerce } from './commerce.ts';
import { contacts, contactTags, quickReplies, tags } from './content.ts';
import { type Dataset, insertDataset } from './dataset.ts';
import { conversationId, opened, openStage, type Stage, type Twin } from './stage.ts';
import { threadRows } from './thread.ts';
import { threadScripts } from './threads.ts';

/**
 * Everything a test key finds: contacts, conversations with timelines, products, orders, campaigns, tags, quick
 * replies, AI suggestions, feedback and insights. The same live company and owner give the same rows.
 */
export function sandboxFixtures(twin: Twin): Dataset {
  const stage = openStage(twin);
  addPeople(stage);
  const commerce = addCommerce(stage);
  const person = new Map(contacts.map((contact) => [contact.key as string, contact]));
  const scripts = threadScripts({
    owner: twin.owner,
    contact: (key) => ({
      type: 'contact',
      id: stage.contactId(key),
      name: person.get(key)?.name ?? null,
      email: person.get(key)?.email ?? null,
    }),
    tag: stage.tag,
    productId: commerce.productId,
    orderId: commerce.orderId,
  });
  for (const script of scripts) {
    const rows = threadRows({
      companyId: twin.companyId,
      id: conversationId(stage.id, script.key),
      contact: { id: stage.contactId(script.contact), name: person.get(script.contact)?.name ?? null },
      channel: { id: stage.channelId, kind: 'simulator' },
      aiAutoReply: script.aiAutoReply,
      entries: script.entries,
      entryId: (place, at) => stage.id(`conversation/${script.key}/${place}`, at),
    });
    stage.rows.conversations.push(rows.conversation);
    stage.rows.messages.push(...rows.messages);
    stage.rows.notes.push(...rows.notes);
    stage.rows.mentions.push(...rows.mentions);
    stage.rows.timeline.push(...rows.timeline);
    stage.rows.conversationTags.push(...rows.tags);
  }
  addAiWork(stage);
  return stage.rows;
}

/** Fills a new twin. `db` is the transaction that makes the twin. */
export async function fillSandbox(db: Db, twin: Twin): Promise<void> {
  await insertDataset(db, sandboxFixtures(twin));
  await db.orderCounter.create({ data: { companyId: twin.companyId, lastNumber: 3 } });
}

function addPeople(stage: Stage): void {
  const { companyId, id, rows, owner } = stage;
  const stamps = { createdAt: opened, updatedAt: opened };
  const attachedBy = { type: owner.type, id: owner.id, name: owner.name };
  rows.channels.push({
    companyId,
    id: stage.channelId,
    kind: 'simulator',
    name: 'Simulator',
    isDefault: true,
    ...stamps,
  });
  for (const { key, system } of tags) rows.tags.push({ companyId, ...stage.tag(key), system, ...stamps });
  for (const [place, contact] of contacts.entries()) {
    const contactId = stage.contactId(contact.key);
    // An hour apart, so that the list by time has an order of its own.
    const createdAt = new Date(opened.getTime() + place * 3_600_000);
    const blocked = 'blocked' in contact;
    const subscribed = !('subscribed' in contact);
    rows.contacts.push({
      companyId,
      id: contactId,
      name: contact.name,
      phone: contact.phone,
      phoneKey: parsePhone(contact.phone)?.key ?? contact.phone,
      email: contact.email,
      country: contact.country,
      source: 'api',
      blocked,
      blockedAt: blocked ? createdAt : null,
      subscribed,
      unsubscribedAt: subscribed ? null : createdAt,
      createdAt,
      updatedAt: createdAt,
    });
    rows.identities.push({
      companyId,
      id: id(`identity/${contact.key}`, opened),
      contactId,
      channelId: stage.channelId,
      address: contact.phone,
      createdAt,
    });
  }
  for (const { contact, tag: key } of contactTags) {
    const at = new Date(opened.getTime() + 24 * 3_600_000);
    const tag = stage.tag(key);
    rows.contactTags.push({
      companyId,
      contactId: stage.contactId(contact),
      tagId: tag.id,
      attachedAt: at,
      attachedBy,
    });
    rows.contactTagChanges.push({
      companyId,
      id: id(`contact-tag/${contact}/${key}`, at),
      contactId: stage.contactId(contact),
      tagId: tag.id,
      tagName: tag.name,
      action: 'add',
      actor: attachedBy,
      at,
    });
  }
  for (const { variables, ...reply } of quickReplies) {
    rows.quickReplies.push({
      companyId,
      id: id(`quick-reply/${reply.shortcut}`, opened),
      ...reply,
      variables: [...variables],
      createdById: owner.id,
      ...stamps,
    });
  }
}
