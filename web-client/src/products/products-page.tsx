import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import { productStatuses } from '../../../schema/words.ts';
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
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { inWords, number, optionsOf } from '../app/words.ts';
import { EditableCell } from './editable-cell.tsx';
import { ProductDrawer } from './product-drawer.tsx';
import { productsRoute, type ProductsSearch } from './routes.ts';
import { setPrice, setStock } from './set-inline.ts';
import './products.css';

export type Product = inferOutput<typeof trpc.products.list>['data'][number];

const tones: Record<Product['status'], Tone> = { draft: 'warning', active: 'good', archived: 'neutral' };

/** What is for sale. Price and stock are changed where they stand, the rest in a drawer. */
export function ProductsPage() {
  const { q, status, in_stock, sort, open } = productsRoute.useSearch();
  const setSearch = useSetSearch<ProductsSearch>();
  const manages = useCan()('commerce.manage');
  const query = useInfiniteQuery(
    trpc.products.list.infiniteQueryOptions(
      { q, status, in_stock, sort, limit: 50 },
      { ...byCursor, placeholderData: keepPreviousData },
    ),
  );
  const filtered = [q, status, in_stock].some((value) => value !== undefined);
  const add = manages && <Button onClick={() => setSearch({ open: 'new' }, 'push')}>New product</Button>;
  return (
    <Page
      title="Products"
      description="What you sell. A product is never deleted: archive it."
      actions={
        <Group gap="xs">
          <CsvMenu
            resource="products"
            filters={{ q, status, in_stock, sort }}
            mayImport={manages}
            onImported={() => queryClient.invalidateQueries(trpc.products.pathFilter())}
          />
          {add}
        </Group>
      }
    >
      <search className="record-filters">
        <SearchField label="Name or SKU" value={q} onChange={(text) => setSearch({ q: text })} />
        <FilterSelect
          label="Status"
          all="Any status"
          options={optionsOf(productStatuses)}
          value={status}
          onChange={(word) => setSearch({ status: word })}
        />
        <FilterSelect
          label="Stock"
          all="In stock or not"
          options={[
            { value: 'in', label: 'In stock' },
            { value: 'out', label: 'Out of stock' },
          ]}
          value={in_stock === undefined ? undefined : in_stock ? 'in' : 'out'}
          onChange={(word) => setSearch({ in_stock: word === undefined ? undefined : word === 'in' })}
        />
      </search>
      <RecordTable
        caption="Products"
        query={query}
        columns={columnsFor(manages, (id) => setSearch({ open: id }, 'push'))}
        keyOf={({ id }) => id}
        sort={{
          value: sort ?? 'created_at',
          onChange: (by) => setSearch({ sort: by === 'name' ? 'name' : undefined }),
        }}
        onClear={
          filtered ? () => setSearch({ q: undefined, status: undefined, in_stock: undefined }) : undefined
        }
        empty={
          <Empty title="No products yet" action={add}>
            Add what you sell, to put it into orders and to send it in conversations.
          </Empty>
        }
      />
      <ProductDrawer id={open} onClose={() => setSearch({ open: undefined })} />
    </Page>
  );
}

function columnsFor(manages: boolean, onOpen: (id: string) => void): readonly RecordColumn<Product>[] {
  return [
    {
      label: 'Name',
      bare: true,
      sort: { by: 'name', direction: 'ascending' },
      cell: (product) => <NameCell product={product} onOpen={() => onOpen(product.id)} />,
    },
    { label: 'Status', cell: ({ status }) => <Status tone={tones[status]}>{inWords(status)}</Status> },
    {
      label: 'Price',
      number: true,
      cell: (product) => (
        <EditableCell
          key={product.version}
          label={`Price of ${product.name}`}
          shown={money(product.price, product.currency)}
          text={moneyText(product.price, product.currency)}
          editable={manages}
          save={(text) => setPrice(product, text)}
        />
      ),
    },
    {
      label: 'On hand',
      number: true,
      cell: (product) =>
        product.stock === null ? (
          'Not counted'
        ) : (
          <EditableCell
            key={product.version}
            label={`Stock of ${product.name}`}
            shown={number.format(product.stock)}
            text={String(product.stock)}
            editable={manages}
            save={(text) => setStock(product, text)}
          />
        ),
    },
    {
      label: 'Available',
      number: true,
      cell: ({ available }) =>
        available === null ? null : available > 0 ? (
          number.format(available)
        ) : (
          <Status tone="bad">{available === 0 ? 'Sold out' : `${number.format(available)} short`}</Status>
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
      <Stack gap={0} align="flex-start">
        <UnstyledButton className="record-name" onClick={onOpen}>
          {product.name}
        </UnstyledButton>
        {product.sku !== null && (
          <Text size="sm" c="dimmed">
            {product.sku}
          </Text>
        )}
      </Stack>
    </div>
  );
}
