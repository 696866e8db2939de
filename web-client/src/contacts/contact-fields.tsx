import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Checkbox, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Values } from '../app/use-submit.ts';
import { countries } from './countries.ts';
import type { ContactRecord } from './contacts-page.tsx';
import { PhoneField } from './phone-field.tsx';

export const contactFields = ['name', 'phone', 'email', 'country', 'subscribed'] as const;

/** The fields of the form as the API takes them: an empty one is null. */
export function contactInput({ name, phone, email, country, subscribed }: Values) {
  return {
    name: filled(name),
    phone: filled(phone),
    email: filled(email),
    country: filled(country),
    subscribed: subscribed !== undefined,
  };
}

const filled = (value: string | undefined) =>
  value === undefined || value.trim() === '' ? null : value.trim();

interface Props {
  contact?: ContactRecord;
  errorOf(name: string): string | undefined;
  existingOf(name: string): string | undefined;
}

/** Who somebody is. A number may be written as in its country. */
export function ContactFields({ contact, errorOf, existingOf }: Props) {
  const { t } = useLingui();
  const [country, setCountry] = useState(() => contact?.country ?? guessedCountry(contact));
  const error = (name: string): ReactNode => {
    const existing = existingOf(name);
    if (existing === undefined) return errorOf(name);
    return (
      <>
        {errorOf(name)}{' '}
        <Anchor component={Link} to={`/contacts/${existing}`} size="sm" underline="always">
          <Trans>Open that contact</Trans>
        </Anchor>
      </>
    );
  };
  return (
    <>
      <TextInput
        name="name"
        label={t`Name`}
        autoComplete="off"
        data-autofocus
        defaultValue={contact?.name ?? ''}
        error={error('name')}
      />
      <PhoneField
        defaultValue={contact?.phone ?? ''}
        country={country}
        onCountry={setCountry}
        self={contact?.id}
        error={error('phone')}
      />
      <Select
        name="country"
        label={t`Country`}
        data={countries()}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t`No country` }}
        nothingFoundMessage={t`No such country`}
        value={country}
        onChange={setCountry}
        error={error('country')}
      />
      <TextInput
        name="email"
        type="email"
        label={t`E-mail`}
        autoComplete="off"
        defaultValue={contact?.email ?? ''}
        error={error('email')}
      />
      <Checkbox
        name="subscribed"
        label={t`May receive marketing messages`}
        defaultChecked={contact?.subscribed ?? true}
        error={error('subscribed')}
      />
    </>
  );
}

/** Of somebody new: most likely where the browser is. */
function guessedCountry(contact: ContactRecord | undefined): string | null {
  if (contact) return null;
  const region = new Intl.Locale(navigator.language).maximize().region;
  return countries().some(({ value }) => value === region) ? (region ?? null) : null;
}
