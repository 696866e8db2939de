import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../app/trpc.ts';
import { contactChoice, ContactPicker } from '../contacts/contact-picker.tsx';

interface Props {
  value: string | undefined;
  onChange(contact: string | undefined): void;
}

/** Orders of one contact alone. The address has the id, so the name is looked up. */
export function CustomerFilter({ value, onChange }: Props) {
  const { t } = useLingui();
  const known = useQuery(
    trpc.contacts.show.queryOptions({ contact: value ?? '' }, { enabled: value !== undefined }),
  );
  const choice = value !== undefined && known.data ? contactChoice(known.data.data) : null;
  return (
    <ContactPicker
      key={choice?.value}
      label={t`Customer`}
      placeholder={t`Any customer`}
      bare
      value={choice}
      onChange={(chosen) => onChange(chosen?.value)}
    />
  );
}
