import { useQuery } from '@tanstack/react-query';
import { useCan } from '../account/use-profile.ts';
import { trpc } from '../app/trpc.ts';
import { ContactPicker, contactChoice } from '../contacts/contact-picker.tsx';
import { contactName } from '../conversation/words.ts';

interface Props {
  value: string | undefined;
  onChange(contact: string | undefined): void;
}

/** Narrows the list to one contact, for whoever may look contacts up. */
export function ContactFilter({ value, onChange }: Props) {
  const can = useCan();
  const contact = useContact(value);
  if (!can('contacts.view') || (value !== undefined && contact === undefined)) return null;
  return (
    <ContactPicker
      key={value}
      value={contact ? contactChoice(contact) : null}
      onChange={(choice) => onChange(choice?.value)}
    />
  );
}

/** What the chosen contact is called; undefined while that is not known. */
export function useContactName(id: string | undefined): string | undefined {
  const contact = useContact(id);
  return contact && contactName(contact);
}

function useContact(id: string | undefined) {
  const can = useCan();
  const enabled = id !== undefined && can('contacts.view');
  const { data } = useQuery(
    trpc.contacts.show.queryOptions({ contact: id ?? '' }, { enabled, retry: false }),
  );
  return enabled ? data?.data : undefined;
}
