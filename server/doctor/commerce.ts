import { orderTransitions, paymentTransitions } from '../../schema/orders.ts';
import type { Check } from './check.ts';

/** `('pending','confirmed'),…`: every step that an order may take. */
const legalSteps = Object.entries(orderTransitions)
  .flatMap(([from, { to }]) => [from, ...to].map((next) => `('${from}','${next}')`))
  .join(',');
const legalPayments = Object.entries(paymentTransitions)
  .flatMap(([from, to]) => [from, ...to].map((next) => `('${from}','${next}')`))
  .join(',');

export const commerceChecks: readonly Check[] = [
  {
    name: 'stock-is-its-ledger',
    holds: 'Stock on hand of a product is the sum of its movements.',
    sql: `SELECT p.company_id, p.id, format('stock %s, movements %s', coalesce(p.stock::text, 'untracked'), m.moved) AS detail
      FROM products p
      CROSS JOIN LATERAL (SELECT coalesce(sum(quantity), 0) AS moved FROM stock_movements s
        WHERE s.company_id = p.company_id AND s.product_id = p.id) m
      WHERE coalesce(p.stock, 0) <> m.moved`,
  },
  {
    name: 'reserved-is-in-open-orders',
    holds: 'What is reserved of a product is in orders that have not shipped.',
    sql: `SELECT p.company_id, p.id, format('reserved %s, in open orders %s', p.reserved, coalesce(held.quantity, 0)) AS detail
      FROM products p
      LEFT JOIN (
        SELECT i.company_id, i.product_id, sum(i.quantity) AS quantity FROM orders o
        JOIN order_items i ON i.company_id = o.company_id AND i.order_id = o.id
        WHERE o.status IN ('pending', 'confirmed', 'processing') AND i.product_id IS NOT NULL
        GROUP BY 1, 2
      ) held ON held.company_id = p.company_id AND held.product_id = p.id
      WHERE p.reserved <> coalesce(held.quantity, 0)`,
  },
  {
    name: 'order-moves-stock-once',
    holds: 'An order takes each product out of stock once, when it left, and puts it back at most once.',
    sql: `SELECT o.company_id, o.id, format('product %s: out %s, back %s, ordered %s, %s', m.product_id, m.out, m.back, i.ordered, o.status) AS detail
      FROM (
        SELECT company_id, order_id, product_id,
          -coalesce(sum(quantity) FILTER (WHERE kind = 'sale'), 0) AS out,
          coalesce(sum(quantity) FILTER (WHERE kind = 'return'), 0) AS back
        FROM stock_movements WHERE order_id IS NOT NULL GROUP BY 1, 2, 3
      ) m
      JOIN orders o ON o.company_id = m.company_id AND o.id = m.order_id
      CROSS JOIN LATERAL (SELECT coalesce(sum(quantity), 0) AS ordered FROM order_items i
        WHERE i.company_id = m.company_id AND i.order_id = m.order_id AND i.product_id = m.product_id) i
      WHERE (m.out NOT IN (0, i.ordered)) OR (m.back NOT IN (0, i.ordered))
        OR (m.out > 0 AND o.status IN ('pending', 'confirmed', 'processing', 'cancelled'))
        OR (m.back > 0 AND o.status <> 'returned')`,
  },
  {
    name: 'order-totals-add-up',
    holds: 'The subtotal of an order is the sum of its lines, of which it has at least one.',
    sql: `SELECT o.company_id, o.id, format('number %s: subtotal %s, lines %s', o.number, o.subtotal, coalesce(i.total::text, 'none')) AS detail
      FROM orders o
      CROSS JOIN LATERAL (SELECT sum(total) AS total FROM order_items i
        WHERE i.company_id = o.company_id AND i.order_id = o.id) i
      WHERE i.total IS DISTINCT FROM o.subtotal`,
  },
  {
    name: 'order-numbers-run',
    holds: 'Order numbers of a company run from 1 without a gap, up to its counter.',
    sql: `SELECT c.id AS company_id, c.id, format('%s orders, highest number %s, counter %s', o.orders, o.highest, coalesce(n.last_number, 0)) AS detail
      FROM companies c
      CROSS JOIN LATERAL (SELECT count(*) AS orders, coalesce(max(number), 0) AS highest FROM orders o
        WHERE o.company_id = c.id) o
      LEFT JOIN order_counters n ON n.company_id = c.id
      WHERE o.orders <> o.highest OR o.highest <> coalesce(n.last_number, 0)`,
  },
  {
    name: 'order-history-is-legal',
    holds: 'Every step of an order follows from the one before, along the table.',
    sql: `SELECT company_id, order_id AS id, format('%s → %s, %s → %s', before, status, paid_before, payment_status) AS detail
      FROM (
        SELECT *, lag(status) OVER steps AS before, lag(payment_status) OVER steps AS paid_before
        FROM order_status_changes WINDOW steps AS (PARTITION BY company_id, order_id ORDER BY at, id)
      ) s
      WHERE from_status IS DISTINCT FROM before
        OR (before IS NULL AND status <> 'pending')
        OR (before IS NOT NULL AND (before, status) NOT IN (${legalSteps}))
        OR (paid_before IS NOT NULL AND (paid_before, payment_status) NOT IN (${legalPayments}))`,
  },
  {
    name: 'order-is-where-its-history-ends',
    holds: 'Status and payment of an order are those of its last step.',
    sql: `SELECT o.company_id, o.id, format('%s and %s, last step %s and %s', o.status, o.payment_status, coalesce(s.status, 'none'), s.payment_status) AS detail
      FROM orders o
      LEFT JOIN LATERAL (SELECT status, payment_status FROM order_status_changes s
        WHERE s.company_id = o.company_id AND s.order_id = o.id ORDER BY at DESC, id DESC LIMIT 1) s ON true
      WHERE (o.status, o.payment_status) IS DISTINCT FROM (s.status, s.payment_status)`,
  },
  {
    name: 'order-has-one-currency',
    holds: 'The products of an order are priced in its currency.',
    sql: `SELECT DISTINCT o.company_id, o.id, format('order in %s, product %s in %s', o.currency, p.id, p.currency) AS detail
      FROM orders o
      JOIN order_items i ON i.company_id = o.company_id AND i.order_id = o.id
      JOIN products p ON p.company_id = i.company_id AND p.id = i.product_id
      WHERE p.currency <> o.currency`,
  },
];
