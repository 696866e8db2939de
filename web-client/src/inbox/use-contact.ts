import { useQuery } from '@tanstack/react-query';
import { useCan } from '../account/use-profile.ts';
import { trpc } from '../app/trpc.ts';
import { contactName } from '../conversation/words.ts';

/** What the chosen contact is called; undefined while that is not known. */
export function useContactName(id: string | undefined): string | undefined {
  const contact = useContact(id);
  return contact && contactName(contact);
}

/** The contact with this id, for whoever may look contacts up. */
export function useContact(id: string | undefined) {
  const can = useCan();
  const enabled = id !== undefined && can('contacts.view');
  const { data } = useQuery(
    trpc.contacts.show.queryOptions({ contact: id ?? '' }, { enabled, retry: false }),
  );
  return enabled ? data?.data : undefined;
}
