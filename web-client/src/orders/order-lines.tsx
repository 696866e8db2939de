import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { minorUnits, money, moneyText } from '../app/money.ts';
import { RecordPicker } from '../app/record-picker.tsx';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';

export interface OrderLine {
  product: string;
  name: string;
  currency: string;
  quantity: string;
  /** As it is typed, in the currency's major unit. */
  price: string;
  available: number | null;
}

interface Props {
  lines: readonly OrderLine[];
  onChange(lines: readonly OrderLine[]): void;
  currency: string;
  errorOf(name: string): string | undefined;
}

/** What is sold: products by search, each with its quantity and price. */
export function OrderLines({ lines, onChange, currency, errorOf }: Props) {
  const { t } = useLingui();
  const set = (at: number, patch: Partial<OrderLine>) =>
    onChange(lines.map((line, index) => (index === at ? { ...line, ...patch } : line)));
  const add = async (id: string) => {
    const at = lines.findIndex((line) => line.product === id);
    if (at >= 0) {
      set(at, { quantity: String((Number(lines[at]?.quantity) || 0) + 1) });
      return;
    }
    const { data: found } = await queryClient.fetchQuery(trpc.products.show.queryOptions({ product: id }));
    onChange([
      ...lines,
      {
        product: id,
        name: found.name,
        currency: found.currency,
        quantity: '1',
        price: moneyText(found.price, found.currency),
        available: found.available,
      },
    ]);
  };
  const subtotal = lines.reduce(
    (sum, { quantity, price }) => sum + Number(quantity) * minorUnits(price, currency),
    0,
  );
  return (
    <Stack gap="md">
      <div className="order-lines">
        {lines.map(({ product, name, quantity, price, available }, index) => (
          <div key={product} className="order-line" role="group" aria-label={name}>
            <div>
              <Text fw={600}>{name}</Text>
              <Text size="sm" c="dimmed">
                {available === null ? t`Stock is not counted` : t`${available} available`}
              </Text>
            </div>
            <TextInput
              name={`items.${index}.quantity`}
              label={t`Quantity`}
              inputMode="numeric"
              autoComplete="off"
              value={quantity}
              onChange={(event) => set(index, { quantity: event.currentTarget.value })}
              error={errorOf(`items.${index}.quantity`)}
            />
            <TextInput
              name={`items.${index}.unit_price`}
              label={t`Price (${currency})`}
              inputMode="decimal"
              autoComplete="off"
              value={price}
              onChange={(event) => set(index, { price: event.currentTarget.value })}
              error={errorOf(`items.${index}.unit_price`)}
            />
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={t`Take ${name} out`}
              onClick={() => onChange(lines.filter((_line, at) => at !== index))}
            >
              <X size={18} aria-hidden />
            </ActionIcon>
          </div>
        ))}
      </div>
      <RecordPicker
        key={lines.length}
        name="items"
        label={t`Add a product`}
        placeholder={t`Name or SKU`}
        useChoices={useProductChoices}
        value={null}
        onChange={(choice) => {
          if (choice) add(choice.value).catch(refused);
        }}
        error={errorOf('items')}
      />
      {lines.length > 0 && Number.isFinite(subtotal) && (
        <Text ta="end" fw={600}>
          <Trans>Subtotal {money(subtotal, currency)}</Trans>
        </Text>
      )}
    </Stack>
  );
}

function useProductChoices(q: string) {
  const { data, isFetching } = useQuery(
    trpc.products.list.queryOptions(
      { q, status: 'active', limit: 20 },
      { placeholderData: keepPreviousData },
    ),
  );
  const choices = (data?.data ?? []).map(({ id, name, price, currency }) => ({
    value: id,
    label: `${name}, ${money(price, currency)}`,
  }));
  return { choices, pending: isFetching };
}
