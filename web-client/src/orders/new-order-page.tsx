import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Box, Button, Checkbox, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useProfile } from '../account/use-profile.ts';
import { BackLink } from '../app/back-link.tsx';
import { done } from '../app/done.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { currentMode } from '../app/mode.ts';
import { minorUnits, money } from '../app/money.ts';
import { Page, Section } from '../app/page.tsx';
import type { Choice } from '../app/record-picker.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { contactChoice, ContactPicker } from '../contacts/contact-picker.tsx';
import { OrderLines, type OrderLine } from './order-lines.tsx';
import { newOrderRoute } from './routes.ts';
import './orders.css';

/** An order from scratch, or for the contact one came from. */
export function NewOrderPage() {
  const { t } = useLingui();
  const { contact } = newOrderRoute.useSearch();
  const known = useQuery(
    trpc.contacts.show.queryOptions({ contact: contact ?? '' }, { enabled: contact !== undefined }),
  );
  const waiting = contact !== undefined && known.isPending;
  return (
    <Box>
      <BackLink to="/orders">{t`Orders`}</BackLink>
      <Page
        title={t`New order`}
        description={t`Prices are kept as they are now; the total is computed by the server.`}
      >
        {!waiting && <NewOrder known={known.data ? contactChoice(known.data.data) : null} />}
      </Page>
    </Box>
  );
}

const extras = [
  {
    name: 'discount',
    get label() {
      return t`Discount`;
    },
  },
  {
    name: 'shipping_fee',
    get label() {
      return t`Shipping`;
    },
  },
  {
    name: 'tax',
    get label() {
      return t`Tax`;
    },
  },
] as const;

function NewOrder({ known }: { known: Choice | null }) {
  const { t } = useLingui();
  const { conversation } = newOrderRoute.useSearch();
  const { company } = useProfile();
  const navigate = useNavigate();
  const [contact, setContact] = useState(known);
  const [lines, setLines] = useState<readonly OrderLine[]>([]);
  const create = useMutation(trpc.orders.create.mutationOptions());
  const currency = lines[0]?.currency ?? company.currency;
  const fields = [
    'contact',
    ...lines.flatMap((_line, index) => [`items.${index}.quantity`, `items.${index}.unit_price`]),
    'items',
    ...extras.map(({ name }) => name),
    'notes',
  ];
  const { onSubmit, pending, errorOf, failure } = useSubmit(async (values) => {
    const amounts = extras
      .filter(({ name }) => (values[name] ?? '') !== '')
      .map(({ name }) => [name, minorUnits(values[name] ?? '', currency)]);
    const { data } = await create.mutateAsync({
      contact: contact?.value ?? '',
      items: lines.map(({ product, quantity, price }) => ({
        product,
        quantity: Number(quantity),
        unit_price: minorUnits(price, currency),
      })),
      ...(contact?.value === known?.value && conversation ? { conversation } : {}),
      ...(Object.fromEntries(amounts) as Record<string, number>),
      payment_status: values['paid'] === undefined ? 'unpaid' : 'paid',
      ...(values['notes'] ? { notes: values['notes'] } : {}),
    });
    await queryClient.invalidateQueries(trpc.orders.pathFilter());
    await queryClient.invalidateQueries(trpc.products.pathFilter());
    done(t`Order ${data.number} is made: ${money(data.total, data.currency)}.`);
    if (currentMode() === 'test') await navigate({ to: '/orders' });
    else await navigate({ to: '/orders/$order', params: { order: data.id } });
  }, fields);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="xl" maw="44rem">
        {failure && <FailureAlert failure={failure} />}
        <ContactPicker label={t`Customer`} value={contact} onChange={setContact} error={errorOf('contact')} />
        <Section title={t`Items`}>
          <OrderLines lines={lines} onChange={setLines} currency={currency} errorOf={errorOf} />
        </Section>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {extras.map(({ name, label }) => (
            <TextInput
              key={name}
              name={name}
              label={`${label} (${currency})`}
              inputMode="decimal"
              autoComplete="off"
              error={errorOf(name)}
            />
          ))}
        </SimpleGrid>
        <Textarea
          name="notes"
          label={t`Notes`}
          autosize
          minRows={2}
          maxLength={2000}
          error={errorOf('notes')}
        />
        <Checkbox name="paid" label={t`It is paid already`} />
        <Group>
          <Button type="submit" loading={pending}>
            <Trans>Make the order</Trans>
          </Button>
          <Text c="dimmed">
            <Trans>Its stock is reserved at once.</Trans>
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
