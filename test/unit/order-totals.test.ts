import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maximumAmount } from '../../schema/money.ts';
import { AppError } from '../../server/platform/errors.ts';
import { linesOf, sumPerProduct, totalsOf } from '../../server/orders/lines.ts';

const amount = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: maximumAmount }));
const item = fc.record({
  name: fc.constant('Line'),
  unit_price: amount,
  quantity: fc.integer({ min: 1, max: 9999 }),
});
const order = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 6 }),
  discount: amount,
  shipping_fee: amount,
  tax: amount,
});

test('totals are exact whole numbers within the limits of money, or the order is refused [S7]', () => {
  let accepted = 0;
  fc.assert(
    fc.property(order, (given) => {
      const exact = given.items.reduce((sum, one) => sum + BigInt(one.unit_price) * BigInt(one.quantity), 0n);
      const total = exact - BigInt(given.discount) + BigInt(given.shipping_fee) + BigInt(given.tax);
      const fits = exact <= maximumAmount && total >= 0n && total <= maximumAmount;
      try {
        const made = totalsOf(
          linesOf(given.items, () => undefined),
          given,
        );
        expect(fits).toBe(true);
        expect(BigInt(made.subtotal)).toBe(exact);
        expect(BigInt(made.total)).toBe(total);
        accepted++;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(fits).toBe(false);
        expect(error.code).toBe('validation_failed');
      }
    }),
    { numRuns: 100_000 },
  );
  expect(accepted).toBeGreaterThan(1_000);
}, 300_000);

test('lines of one product are one demand', () => {
  const line = fc.record({
    product: fc.constantFrom('a', 'b', undefined),
    quantity: fc.integer({ min: 1, max: 9999 }),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 100 }), (lines) => {
      for (const [product, quantity] of sumPerProduct(lines)) {
        const own = lines.filter((one) => one.product === product);
        expect(quantity).toBe(own.reduce((sum, one) => sum + one.quantity, 0));
      }
    }),
  );
});
