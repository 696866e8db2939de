import { z } from 'zod';
import { pathId } from '../../schema/common.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { findOrder, orderTargets } from './rows.ts';

export const showOrder = query(
  { access: 'commerce.view', input: z.object({ order: pathId }), targets: orderTargets },
  async (ctx, { order }) => {
    const row = await findOrder(ctx, order);
    if (!row) throw notFound();
    return row;
  },
);
