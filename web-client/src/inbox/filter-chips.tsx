import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { trpc } from '../app/trpc.ts';
import { channelName } from '../conversation/words.ts';
import { useContactName } from './use-contact.ts';
import { type FilterName, filterNames, type InboxSearch } from './search.ts';

const yesNo = (yes: string, no: string) => (value: unknown) => (value === true ? yes : no);

/** How each filter reads. */
const words: Readonly<Record<FilterName, (value: unknown) => string>> = {
  status: (value) => `Status: ${value}`,
  assignee: (value) => (value === 'me' ? 'Assignee: me' : `Assignee: ${value}`),
  channel: (value) => `Channel: ${channelName(String(value))}`,
  tag: (value) => `Tag: ${value}`,
  contact: (value) => `Contact: ${value}`,
  archived: yesNo('Archived', 'Not archived'),
  unassigned: yesNo('Unassigned', 'Assigned'),
  read: yesNo('Read', 'Unread'),
  muted: yesNo('Muted', 'Not muted'),
  period: (value) => (value === 'today' ? 'Today' : `This ${value}`),
  rating: (value) => `Rated ${value}`,
};

/** The filters that are set beyond the view; a click takes one off. */
export function FilterChips({ search }: { search: InboxSearch }) {
  const navigate = useNavigate({ from: '/inbox' });
  const { data: tags } = useQuery(
    trpc.tags.list.queryOptions({ limit: 100 }, { enabled: search.tag !== undefined }),
  );
  const contact = useContactName(search.contact);
  const shownOf: Partial<Record<FilterName, string | undefined>> = {
    tag: tags?.data.find(({ id }) => id === search.tag)?.name,
    contact,
  };
  const set = filterNames.filter((name) => search[name] !== undefined);
  if (set.length === 0) return null;
  return (
    <ul className="list-chips" aria-label="Filters">
      {set.map((name) => {
        const text = words[name](shownOf[name] ?? search[name]);
        return (
          <li key={name}>
            <button
              type="button"
              aria-label={`Remove the filter ${text}`}
              onClick={() => void navigate({ search: (now) => ({ ...now, [name]: undefined }) })}
            >
              {text} <X size={12} aria-hidden />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
