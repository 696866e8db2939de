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
  // Joined to the names one by one, so that each is looked up in its index, whatever the planner knows of a table that
  // was filled just now.
  const rows = await ctx.db.$queryRaw<Found[]>`
    SELECT 'order' AS kind, n.name, o.id FROM unnest(${orders}::text[]) AS n (name)
      JOIN orders o ON o.company_id = ${company} AND o.id = n.name
    UNION ALL SELECT 'order', n.name, o.id FROM unnest(${orders}::text[]) AS n (name)
      JOIN orders o ON o.company_id = ${company} AND o.external_id = n.name
    UNION ALL SELECT 'contact', n.name, c.id FROM unnest(${contacts}::text[]) AS n (name)
      JOIN contacts c ON c.company_id = ${company} AND c.id = n.name AND c.deleted_at IS NULL
    UNION ALL SELECT 'contact phone', n.name, c.id FROM unnest(${phones}::text[]) AS n (name)
      JOIN contacts c ON c.company_id = ${company} AND c.phone_key = n.name AND c.deleted_at IS NULL
    UNION ALL SELECT 'contact email', address, id FROM contacts_by_email(${company}, ${emails})
    UNION ALL SELECT 'product', n.name, p.id FROM unnest(${products}::text[]) AS n (name)
      JOIN products p ON p.company_id = ${company} AND p.id = n.name
    UNION ALL SELECT 'product sku', n.name, p.id FROM unnest(${skus}::text[]) AS n (name)
      JOIN products p ON p.company_id = ${company} AND p.sku = n.name`;
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
