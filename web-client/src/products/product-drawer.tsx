import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Drawer, FileInput, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { productStatuses } from '../../../schema/words.ts';
import { useCan, useProfile } from '../account/use-profile.ts';
import { done } from '../app/done.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { minorUnits, moneyText } from '../app/money.ts';
import { QueryState } from '../app/query-state.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { upload } from '../app/upload.ts';
import { useSubmit } from '../app/use-submit.ts';
import { optionsOf } from '../app/words.ts';
import type { Product } from './products-page.tsx';

const fields = ['name', 'price', 'sku', 'status', 'stock', 'description', 'image_url'] as const;

/** A product with all there is to it. `id` is `new` for one that is to be made. */
export function ProductDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
  const { t } = useLingui();
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      title={id === 'new' ? t`New product` : t`Product`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {id === 'new' && <ProductForm product={null} onClose={onClose} />}
      {id !== undefined && id !== 'new' && <Existing id={id} onClose={onClose} />}
    </Drawer>
  );
}

function Existing({ id, onClose }: { id: string; onClose(): void }) {
  const query = useQuery(trpc.products.show.queryOptions({ product: id }));
  return (
    <QueryState query={query} rows={7}>
      {({ data }) => <ProductForm key={data.version} product={data} onClose={onClose} />}
    </QueryState>
  );
}

function ProductForm({ product, onClose }: { product: Product | null; onClose(): void }) {
  const { t } = useLingui();
  const manages = useCan()('commerce.manage');
  const { company } = useProfile();
  const [image, setImage] = useState<File | null>(null);
  const create = useMutation(trpc.products.create.mutationOptions());
  const update = useMutation(trpc.products.update.mutationOptions());
  const currency = product?.currency ?? company.currency;
  const { onSubmit, pending, errorOf, failure } = useSubmit(async (values) => {
    const input = {
      name: values['name'] ?? '',
      price: minorUnits(values['price'] ?? '', currency),
      sku: values['sku'] || null,
      description: values['description'] || null,
      status: productStatuses.find((word) => word === values['status']) ?? 'active',
      ...stockChange(product, values['stock'] ?? ''),
      ...(image ? { image_url: await upload(image) } : {}),
    };
    if (product) await update.mutateAsync({ product: product.id, ...input });
    else await create.mutateAsync(input);
    await queryClient.invalidateQueries(trpc.products.pathFilter());
    done(t`The product is saved.`);
    onClose();
  }, fields);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        {product?.image_url != null && <img className="product-preview" src={product.image_url} alt="" />}
        <TextInput
          name="name"
          label={t`Name`}
          autoComplete="off"
          data-autofocus
          readOnly={!manages}
          defaultValue={product?.name}
          error={errorOf('name')}
        />
        <TextInput
          name="price"
          label={t`Price (${currency})`}
          inputMode="decimal"
          autoComplete="off"
          readOnly={!manages}
          defaultValue={product ? moneyText(product.price, currency) : ''}
          error={errorOf('price')}
        />
        <TextInput
          name="sku"
          label="SKU"
          description={t`Your own number for it. No two products have the same.`}
          autoComplete="off"
          readOnly={!manages}
          defaultValue={product?.sku ?? ''}
          error={errorOf('sku')}
        />
        <TextInput
          name="stock"
          label={t`On hand`}
          description={stockHint(product)}
          inputMode="numeric"
          autoComplete="off"
          readOnly={!manages}
          defaultValue={product?.stock?.toString() ?? ''}
          error={errorOf('stock') ?? errorOf('stock_adjustment')}
        />
        <NativeSelect
          name="status"
          label={t`Status`}
          description={t`Only active products can be ordered.`}
          data={optionsOf(productStatuses)}
          disabled={!manages}
          defaultValue={product?.status ?? 'active'}
          error={errorOf('status')}
        />
        <Textarea
          name="description"
          label={t`Description`}
          autosize
          minRows={3}
          readOnly={!manages}
          defaultValue={product?.description ?? ''}
          error={errorOf('description')}
        />
        {manages ? (
          <>
            <FileInput
              label={product?.image_url == null ? t`Image` : t`Another image`}
              description={t`JPEG, PNG or WebP, up to 5 MB.`}
              accept="image/jpeg,image/png,image/webp"
              placeholder={t`Choose a file`}
              clearable
              clearButtonProps={{ 'aria-label': t`No image` }}
              value={image}
              onChange={setImage}
              error={errorOf('image_url')}
            />
            <Button type="submit" loading={pending}>
              <Trans>Save</Trans>
            </Button>
          </>
        ) : (
          <Text c="dimmed">
            <Trans>To change it you need the scope commerce.manage.</Trans>
          </Text>
        )}
      </Stack>
    </form>
  );
}

function stockHint(product: Product | null): string {
  return product && product.reserved > 0
    ? t`${product.reserved} of them are held by orders. Empty: it is not counted.`
    : t`Empty: it is not counted.`;
}

/**
 * A counted stock moves by the difference, so that no sale made meanwhile is lost. What is no number is sent as one
 * that the server refuses.
 */
function stockChange(
  product: Product | null,
  text: string,
): { stock?: number | null; stock_adjustment?: number } {
  const stock = text.trim() === '' ? null : /^\d{1,10}$/.test(text.trim()) ? Number(text) : -1;
  if (stock === (product?.stock ?? null)) return {};
  if (product?.stock == null || stock === null || stock < 0) return { stock };
  return { stock_adjustment: stock - product.stock };
}
