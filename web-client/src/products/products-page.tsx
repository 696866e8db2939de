import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { lowStock, productStatuses } from '../../../schema/words.ts';
import { useCan } from '../account/use-profile.ts';
import { CsvMenu } from '../app/csv-menu.tsx';
import { Empty } from '../app/empty.tsx';
import { FilterSelect } from '../app/filter-select.tsx';
import { money, moneyText } from '../app/money.ts';
import { Page } from '../app/page.tsx';
import { byCursor, type RecordColumn, RecordTable } from '../app/record-table.tsx';
import { SearchField } from '../app/search-field.tsx';
import { useSetSearch } from '../app/search.ts';
import { Status, type Tone } from '../app/status.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { inWords, number, optionsOf } from '../app/words.ts';
import { EditableCell } from './editable-cell.tsx';
import { ProductDrawer } from './product-drawer.tsx';
import { productsRoute, type ProductsSearch } from './routes.ts';
import { setPrice, setStock } from './set-inline.ts';
import { ProductSelection } from './product-selection.tsx';
import { useProductNews } from './use-product-news.ts';
import './products.css';

export type Product = inferOutput<typeof trpc.products.records>['data'][number];

const tones: Record<Product['status'], Tone> = { draft: 'warning', active: 'good', archived: 'neutral' };

/** What is for sale. Price and stock are changed where they stand, the rest in a drawer. */
export function ProductsPage() {
  const { t } = useLingui();
  const { q, status, stock, sort, open } = productsRoute.useSearch();
  const setSearch = useSetSearch<ProductsSearch>();
  const manages = useCan()('commerce.manage');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const news = useProductNews();
  const filters = { q, status, sort, ...stockFilters[stock ?? 'any'] };
  const query = useInfiniteQuery(
    trpc.products.records.infiniteQueryOptions(
      { ...filters, limit: 50 },
      { ...byCursor, placeholderData: keepPreviousData },
    ),
  );
  const filtered = [q, status, stock].some((value) => value !== undefined);
  const add = manages && (
    <Button onClick={() => setSearch({ open: 'new' }, 'push')}>
      <Trans>New product</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Products`}
      description={t`What you sell. A product is never deleted: archive it.`}
      actions={
        <Group gap="xs">
          <CsvMenu resource="products" filters={filters} mayImport={manages} onImported={news.show} />
          {add}
        </Group>
      }
    >
      <search className="record-filters">
        <SearchField label={t`Name or SKU`} value={q} onChange={(text) => setSearch({ q: text })} />
        <FilterSelect
          label={t`Status`}
          all={t`Any status`}
          options={optionsOf(productStatuses)}
          value={status}
          onChange={(word) => setSearch({ status: word })}
        />
        <FilterSelect
          label={t`Stock`}
          all={t`Any stock`}
          options={[
            { value: 'in', label: t`In stock` },
            { value: 'low', label: t`Low stock (${lowStock} or fewer)` },
            { value: 'out', label: t`Out of stock` },
          ]}
          value={stock}
          onChange={(word) => setSearch({ stock: word })}
        />
      </search>
      <RecordTable
        name="products"
        news={news}
        caption={t`Products`}
        query={query}
        columns={columnsFor(manages, (id) => setSearch({ open: id }, 'push'))}
        keyOf={({ id }) => id}
        sort={{
          value: sort ?? 'created_at',
          onChange: (by) => setSearch({ sort: by === 'name' ? 'name' : undefined }),
        }}
        {...(manages ? { selection: { selected, onChange: setSelected, nameOf: ({ name }) => name } } : {})}
        onClear={
          filtered ? () => setSearch({ q: undefined, status: undefined, stock: undefined }) : undefined
        }
        empty={
          <Empty title={t`No products yet`} action={add}>
            <Trans>Add what you sell, to put it into orders and to send it in conversations.</Trans>
          </Empty>
        }
      />
      <ProductSelection selected={selected} onDone={() => setSelected(new Set())} />
      <ProductDrawer id={open} onClose={() => setSearch({ open: undefined })} />
    </Page>
  );
}

const stockFilters = {
  any: {},
  in: { in_stock: true },
  low: { available_max: lowStock },
  out: { in_stock: false },
} as const;

function columnsFor(manages: boolean, onOpen: (id: string) => void): readonly RecordColumn<Product>[] {
  return [
    {
      id: 'name',
      label: t`Name`,
      bare: true,
      sort: { by: 'name', direction: 'ascending' },
      cell: (product) => <NameCell product={product} onOpen={() => onOpen(product.id)} />,
    },
    { id: 'sku', label: 'SKU', cell: ({ sku }) => sku },
    {
      id: 'status',
      label: t`Status`,
      cell: ({ status }) => <Status tone={tones[status]}>{inWords(status)}</Status>,
    },
    {
      id: 'price',
      label: t`Price`,
      number: true,
      cell: (product) => (
        <EditableCell
          label={t`Price of ${product.name}`}
          shown={money(product.price, product.currency)}
          text={moneyText(product.price, product.currency)}
          editable={manages}
          save={(text) => setPrice(product, text)}
        />
      ),
    },
    {
      id: 'stock',
      label: t`On hand`,
      number: true,
      cell: (product) =>
        product.stock === null ? (
          t`Not counted`
        ) : (
          <EditableCell
            label={t`Stock of ${product.name}`}
            shown={number.format(product.stock)}
            text={String(product.stock)}
            editable={manages}
            save={(text) => setStock(product, text)}
          />
        ),
    },
    {
      id: 'available',
      label: t`Available`,
      number: true,
      cell: ({ available }) =>
        available === null ? null : available > 0 ? (
          number.format(available)
        ) : (
          <Status tone="bad">{available === 0 ? t`Sold out` : t`${number.format(available)} short`}</Status>
        ),
    },
  ];
}

function NameCell({ product, onOpen }: { product: Product; onOpen(): void }) {
  return (
    <div className="product-name">
      {product.image_url === null ? (
        <span className="product-image">
          <ImageOff size={18} aria-hidden />
        </span>
      ) : (
        <img className="product-image" src={product.image_url} alt="" loading="lazy" />
      )}
      <UnstyledButton className="record-name" onClick={onOpen}>
        {product.name}
      </UnstyledButton>
    </div>
  );
}
