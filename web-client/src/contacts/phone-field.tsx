import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { trpc } from '../app/trpc.ts';
import { phoneRules } from './phone-rules.ts';

interface Props {
  defaultValue: string;
  /** Of numbers without a country code. */
  country: string | null;
  /** Told the country that a number is of. */
  onCountry(code: string): void;
  /** The contact that is edited: it may keep its number. */
  self: string | undefined;
  error: ReactNode;
}

/** A number that is written as its country does while one types; says at once when somebody has it already. */
export function PhoneField({ defaultValue, country, onCountry, self, error }: Props) {
  const { t } = useLingui();
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(defaultValue);
  const [number, setNumber] = useState<string | null>(null);
  const look = async () => {
    const input = field.current;
    const text = input?.value ?? '';
    const { AsYouType, isSupportedCountry } = await phoneRules();
    // Somebody may have typed on while the rules were on their way.
    if (!input || input.value !== text) return;
    const home = country !== null && isSupportedCountry(country) ? country : undefined;
    const typed = new AsYouType(home);
    const formatted = typed.input(text);
    // Neither while one deletes nor in the middle: the caret would jump.
    const atEnd = document.activeElement !== input || input.selectionStart === text.length;
    if (text.length > before.current.length && atEnd) input.value = formatted;
    before.current = input.value;
    setNumber(typed.isValid() ? (typed.getNumberValue() ?? null) : null);
    const found = typed.isInternational() ? typed.getCountry() : undefined;
    if (found && found !== country) onCountry(found);
  };
  const looking = useRef(look);
  looking.current = look;
  useEffect(() => {
    if (field.current?.value !== '') void looking.current();
  }, [country]);
  const owner = useOwner(number, self);
  return (
    <TextInput
      ref={field}
      name="phone"
      type="tel"
      label={t`Phone`}
      description={t`With the country code, or as in the country below.`}
      autoComplete="off"
      defaultValue={defaultValue}
      onChange={() => void look()}
      error={
        error ??
        (owner && (
          <>
            {t`${number} already belongs to ${owner.name ?? t`a contact without a name`}.`}{' '}
            <Anchor component={Link} to={`/contacts/${owner.id}`} size="sm" underline="always">
              <Trans>Open that contact</Trans>
            </Anchor>
          </>
        ))
      }
    />
  );
}

/** Whoever has a number, unless it is the contact itself. */
function useOwner(number: string | null, self: string | undefined) {
  const { data } = useQuery(
    trpc.contacts.list.queryOptions({ phone: number ?? '', limit: 1 }, { enabled: number !== null }),
  );
  const owner = number === null ? undefined : data?.data[0];
  return owner?.id === self ? undefined : owner;
}
