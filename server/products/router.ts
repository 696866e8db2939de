import { ProductBody, ProductBulkStatusBody, ProductPage } from '../../schema/products.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { setProductStatuses } from './bulk-status.ts';
import { listProductRecords, listProducts } from './list.ts';
import { presentProduct } from './present.ts';
import { createProduct, showProduct, updateProduct } from './service.ts';

const tag = 'Products';

export const productsRouter = router({
  list: procedure(listProducts, {
    output: ProductPage,
    present: presentPage(presentProduct),
    rest: {
      method: 'GET',
      path: '/products',
      tag,
      summary: 'List products',
      description: 'Newest first, or by name. All filters must match.',
    },
  }),
  create: procedure(createProduct, {
    output: ProductBody,
    present: (row) => ({ data: presentProduct(row) }),
    rest: {
      method: 'POST',
      path: '/products',
      tag,
      summary: 'Create a product',
      description:
        'Prices are whole minor units. A `sku` that another product has is refused as `duplicate`.',
      status: 201,
    },
  }),
  show: procedure(showProduct, {
    output: ProductBody,
    present: (row) => ({ data: presentProduct(row) }),
    rest: {
      method: 'GET',
      path: '/products/{product}',
      tag,
      summary: 'Show a product',
      description: 'With what is in stock, reserved and available.',
    },
  }),
  update: procedure(updateProduct, {
    output: ProductBody,
    present: (row) => ({ data: presentProduct(row) }),
    rest: {
      method: 'PATCH',
      path: '/products/{product}',
      tag,
      summary: 'Update a product',
      description:
        'A field that is absent stays as it is; null clears it. `stock` is a recount, `stock_adjustment` adds to what is on hand.',
      conflicts: true,
    },
  }),
  records: procedure(listProductRecords, { output: ProductPage, present: presentPage(presentProduct) }),
  setStatus: procedure(setProductStatuses, {
    output: ProductBulkStatusBody,
    present: (summary) => ({ data: summary }),
  }),
});
