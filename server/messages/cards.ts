import type { Order, OrderItem, Product } from '../../prisma/generated/client/client.ts';

const words: Readonly<Record<string, string>> = {
  pending: 'received',
  confirmed: 'confirmed',
  processing: 'being prepared',
  shipped: 'on its way',
  delivered: 'delivered',
  completed: 'completed',
  cancelled: 'cancelled',
  returned: 'returned',
};

/** An amount in minor units as people read it: 1234 EUR is €12.34. */
export function money(minor: bigint | number, currency: string, locale = 'en'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(Number(minor) / 10 ** digits);
}

/** A product card where the channel has none of its own. */
export function productText({ name, price, currency, description }: Product, locale: string): string {
  return cut([name, money(price, currency, locale), description ?? ''].filter(Boolean).join('\n'), 1024);
}

/** An order's summary and where it stands. */
export function orderText(order: Order & { items: OrderItem[] }, locale: string): string {
  const { number, status, items, total, currency, tracking } = order;
  return cut(
    [
      `Order ${number}: ${words[status] ?? status}`,
      ...items.map(
        ({ quantity, name, total: sum }) => `${quantity} × ${name}  ${money(sum, currency, locale)}`,
      ),
      `Total ${money(total, currency, locale)}`,
      ...trackingLines(tracking),
    ].join('\n'),
    4096,
  );
}

function trackingLines(tracking: unknown): string[] {
  if (typeof tracking !== 'object' || tracking === null) return [];
  const { carrier, number, url } = tracking as Record<string, unknown>;
  return [[carrier, number].filter(Boolean).join(' '), typeof url === 'string' ? url : ''].filter(Boolean);
}

function cut(text: string, maximum: number): string {
  const characters = [...text];
  return characters.length <= maximum ? text : `${characters.slice(0, maximum - 1).join('')}…`;
}
