import type { Context } from '../platform/context.ts';
import type { OrderInput } from './import-rows.ts';

/** The records that a batch of orders names, as far as the company has them. */
export interface References {
  /** Ids and external ids of orders. */
  orders: ReadonlySet<string>;
  contactOf(by: OrderInput['contact']): string | undefined;
  productOf(id: string | undefined, sku: string | undefined): string | undefined;
}

interface Found {
  kind: 'order' | 'contact' | 'contact phone' | 'contact email' | 'product' | 'product sku';
  name: string;
  id: string;
}

/** Looks up all that a batch names in one statement: by id, else by phone, e-mail, SKU or external id. */
export async function loadReferences(ctx: Context, inputs: readonly OrderInput[]): Promise<References> {
  const items = inputs.flatMap((input) => input.items);
  const orders = inputs.flatMap(({ key, id }) => (id === undefined ? [key] : [key, id]));
  const contacts = inputs.flatMap(({ contact }) => contact.id ?? []);
  const phones = inputs.flatMap(({ contact }) => contact.phone?.key ?? []);
  const emails = inputs.flatMap(({ contact }) => contact.email?.toLowerCase() ?? []);
  const products = items.flatMap(({ product }) => product ?? []);
  const skus = items.flatMap(({ sku }) => sku ?? []);
  const company = ctx.companyId;
  const rows = await ctx.db.$queryRaw<Found[]>`
    SELECT 'order' AS kind, id AS name, id FROM orders WHERE company_id = ${company} AND id = ANY(${orders}::text[])
    UNION ALL SELECT 'order', external_id, id FROM orders
      WHERE company_id = ${company} AND external_id = ANY(${orders}::text[])
    UNION ALL SELECT 'contact', id, id FROM contacts
      WHERE company_id = ${company} AND deleted_at IS NULL AND id = ANY(${contacts}::text[])
    UNION ALL SELECT 'contact phone', phone_key, id FROM contacts
      WHERE company_id = ${company} AND deleted_at IS NULL AND phone_key = ANY(${phones}::text[])
    UNION ALL SELECT 'contact email', lower(email), id FROM contacts
      WHERE company_id = ${company} AND deleted_at IS NULL AND lower(email) = ANY(${emails}::text[])
    UNION ALL SELECT 'product', id, id FROM products WHERE company_id = ${company} AND id = ANY(${products}::text[])
    UNION ALL SELECT 'product sku', sku, id FROM products WHERE company_id = ${company} AND sku = ANY(${skus}::text[])`;
  const ids = new Map(rows.map(({ kind, name, id }) => [`${kind} ${name}`, id]));
  const find = (kind: Found['kind'], name: string | undefined) =>
    name === undefined ? undefined : ids.get(`${kind} ${name}`);
  return {
    orders: new Set(rows.flatMap(({ kind, name }) => (kind === 'order' ? [name] : []))),
    contactOf: ({ id, phone, email }) =>
      find('contact', id) ?? find('contact phone', phone?.key) ?? find('contact email', email?.toLowerCase()),
    productOf: (id, sku) => find('product', id) ?? find('product sku', sku),
  };
}
