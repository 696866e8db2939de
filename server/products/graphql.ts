import { mutationField, pageField, queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { listProducts } from './list.ts';
import { availableOf } from './present.ts';
import { createProduct, showProduct, updateProduct } from './service.ts';

export const Product = builder.prismaObject('Product', {
  description: 'Something sold. Never deleted: archived.',
  findUnique: null,
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    sku: t.exposeString('sku', { nullable: true }),
    description: t.exposeString('description', { nullable: true }),
    price: t.expose('price', { type: 'SafeInt', description: 'Minor units.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    status: t.exposeString('status', { description: 'draft, active or archived.' }),
    stock: t.exposeInt('stock', { nullable: true, description: 'On hand; null when not tracked.' }),
    reserved: t.exposeInt('reserved', { description: 'Held by orders that have not shipped.' }),
    available: t.int({
      nullable: true,
      description: '`stock` less `reserved`; null when not tracked.',
      resolve: availableOf,
    }),
    imageUrl: t.exposeString('imageUrl', { nullable: true }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

queryField('product', showProduct, { type: Product, description: 'One product.' });
pageField('products', listProducts, {
  type: Product,
  description: 'Products, newest first unless sorted by name.',
});
mutationField('createProduct', createProduct, {
  type: Product,
  input: 'ProductCreateInput',
  description: 'Creates a product.',
});
mutationField('updateProduct', updateProduct, {
  type: Product,
  input: 'ProductUpdateInput',
  description: 'Updates a product. A field that is absent stays as it is; null clears it.',
});
