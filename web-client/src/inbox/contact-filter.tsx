import { useCan } from '../account/use-profile.ts';
import { ContactPicker, contactChoice } from '../contacts/contact-picker.tsx';
import { useContact } from './use-contact.ts';

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
