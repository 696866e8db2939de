import type { OrderStatus, PaymentStatus } from '../../../schema/orders.ts';
import type { Tone } from '../app/status.tsx';

export const orderTone: Record<OrderStatus, Tone> = {
  pending: 'warning',
  confirmed: 'info',
  processing: 'info',
  shipped: 'info',
  delivered: 'good',
  completed: 'good',
  cancelled: 'neutral',
  returned: 'bad',
};

export const paymentTone: Record<PaymentStatus, Tone> = {
  unpaid: 'warning',
  paid: 'good',
  refunded: 'neutral',
};
