import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Choice, RecordPicker } from '../app/record-picker.tsx';
import { trpc } from '../app/trpc.ts';

interface Props {
  label?: string;
  placeholder?: string;
  bare?: boolean;
  description?: string;
  value: Choice | null;
  onChange(value: Choice | null): void;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** Chooses a contact by name, phone or e-mail. */
export function ContactPicker({
  label = t`Contact`,
  placeholder = t`Name, phone or e-mail`,
  ...props
}: Props) {
  return (
    <RecordPicker
      {...props}
      name="contact"
      label={label}
      placeholder={placeholder}
      useChoices={useContactChoices}
    />
  );
}

function useContactChoices(q: string) {
  const { data, isFetching } = useQuery(
    trpc.contacts.list.queryOptions({ q, limit: 20 }, { placeholderData: keepPreviousData }),
  );
  return { choices: (data?.data ?? []).map(contactChoice), pending: isFetching };
}

/** A contact as a choice: by name, with what tells two of one name apart. */
export function contactChoice({ id, name, phone, email }: Named): Choice {
  const more = phone ?? email;
  return { value: id, label: name === null ? (more ?? t`No name`) : more ? `${name} (${more})` : name };
}

interface Named {
  id: string;
  name: string | null;
  phone: string | null;
  email?: string | null;
}
