import type { ContactRow } from '../contacts/columns.ts';
import { captionMaximum, inferType, type MessageSend, textMaximum } from '../../schema/messages.ts';
import { findMediaByUrl, useMedia } from '../media/service.ts';
import { invalidField } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { valuesFor } from '../quick-replies/preview.ts';
import { renderQuickReply } from '../quick-replies/render.ts';
import { findQuickReply } from '../quick-replies/service.ts';
import { orderText, productText } from './cards.ts';
import { type Content, noContent } from './post.ts';
import { companyOf } from '../account/company.ts';

/**
 * What the fields of a request come to: quick replies are filled in, cards written out, files resolved.
 * @throws AppError `validation_failed` for a record that is unknown to this company
 */
export async function compose(ctx: WorkContext, input: MessageSend, contact: ContactRow): Promise<Content> {
  const type = input.type ?? inferType(input);
  switch (type) {
    case 'template': {
      const { name, language, variables = [] } = input.template ?? { name: '', language: '' };
      return { ...noContent, type, template: { name, language, variables } };
    }
    case 'product':
      return productContent(ctx, input);
    case 'order':
      return orderContent(ctx, input, contact);
    case 'text':
    case 'media':
    case undefined:
      return textContent(ctx, input, contact);
  }
}

async function textContent(ctx: WorkContext, input: MessageSend, contact: ContactRow): Promise<Content> {
  const saved = input.quick_reply === undefined ? null : await expand(ctx, input.quick_reply, contact);
  const text = input.text ?? saved?.text ?? null;
  const own = input.media_url === undefined ? null : await useMedia(ctx, input.media_url);
  const mediaId = own?.id ?? saved?.mediaId ?? null;
  if (input.type === 'media' && mediaId === null)
    throw invalidField('media_url', 'required', 'Has no file to send.');
  if (input.type === 'text' && mediaId !== null) {
    throw invalidField('type', 'not_allowed', 'The quick reply has a file: it makes a media message.');
  }
  const most = mediaId === null ? textMaximum : captionMaximum;
  const given = input.text === undefined ? 'quick_reply' : 'text';
  if ([...(text ?? '')].length > most)
    throw invalidField(given, 'max', `The text has at most ${most} characters.`);
  if (mediaId === null && !text?.trim()) throw invalidField(given, 'required', 'The text is empty.');
  return { ...noContent, type: mediaId === null ? 'text' : 'media', text, mediaId };
}

async function expand(ctx: WorkContext, id: string, contact: ContactRow) {
  const saved = await findQuickReply(ctx, id);
  if (!saved) throw unknown('quick_reply');
  await ctx.db.quickReply.update({
    where: { companyId_id: { companyId: ctx.companyId, id: saved.id } },
    data: { usageCount: { increment: 1 } },
    select: { id: true },
  });
  const text = renderQuickReply(saved.text, await valuesFor(ctx, saved, contact));
  return { text, mediaId: saved.mediaId };
}

async function productContent(ctx: WorkContext, input: MessageSend): Promise<Content> {
  const id = input.product ?? '';
  const product = isId(id)
    ? await ctx.db.product.findUnique({ where: { companyId_id: { companyId: ctx.companyId, id } } })
    : null;
  if (!product) throw unknown('product');
  if (product.status !== 'active') throw invalidField('product', 'not_allowed', 'The product is not active.');
  const picture = product.imageUrl === null ? null : await findMediaByUrl(ctx, product.imageUrl);
  const text = input.text ?? productText(product, await localeOf(ctx));
  return { ...noContent, type: 'product', text, mediaId: picture?.id ?? null, productId: product.id };
}

/** Another customer's order is none of theirs. */
async function orderContent(ctx: WorkContext, input: MessageSend, contact: ContactRow): Promise<Content> {
  const id = input.order ?? '';
  const order = isId(id)
    ? await ctx.db.order.findUnique({
        where: { companyId_id: { companyId: ctx.companyId, id } },
        include: { items: { orderBy: { position: 'asc' } } },
      })
    : null;
  if (!order) throw unknown('order');
  if (order.contactId !== contact.id)
    throw invalidField('order', 'not_allowed', 'The order is another contact’s.');
  const text = input.text ?? orderText(order, await localeOf(ctx));
  return { ...noContent, type: 'order', text, orderId: order.id };
}

async function localeOf(ctx: WorkContext): Promise<string> {
  const { locale } = await companyOf(ctx);
  return Intl.NumberFormat.supportedLocalesOf([locale]).length > 0 ? locale : 'en';
}

function unknown(param: string) {
  return invalidField(param, 'unknown_id', `There is no such ${param.replace('_', ' ')}.`);
}
