import { useLingui } from '@lingui/react/macro';
import { inWords } from '../app/words.ts';
import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { trpc } from '../app/trpc.ts';
import { channelName } from '../conversation/words.ts';
import { useContactName } from './use-contact.ts';
import { type FilterName, filterNames, type InboxSearch } from './search.ts';

/** How each filter reads. */
const words: Readonly<Record<FilterName, (value: unknown) => string>> = {
  status: (value) => t`Status: ${inWords(String(value))}`,
  assignee: (value) => (value === 'me' ? t`Assignee: me` : t`Assignee: ${String(value)}`),
  channel: (value) => t`Channel: ${channelName(String(value))}`,
  tag: (value) => t`Tag: ${String(value)}`,
  contact: (value) => t`Contact: ${String(value)}`,
  archived: (value) => (value === true ? t`Archived` : t`Not archived`),
  unassigned: (value) => (value === true ? t`Unassigned` : t`Assigned`),
  read: (value) => (value === true ? t`Read` : t`Unread`),
  muted: (value) => (value === true ? t`Muted` : t`Not muted`),
  period: (value) => (value === 'today' ? t`Today` : value === 'week' ? t`This week` : t`This month`),
  rating: (value) => t`Rated ${String(value)}`,
};

/** The filters that are set beyond the view; a click takes one off. */
export function FilterChips({ search }: { search: InboxSearch }) {
  const { t } = useLingui();
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
    <ul className="list-chips" aria-label={t`Filters`}>
      {set.map((name) => {
        const text = words[name](shownOf[name] ?? search[name]);
        return (
          <li key={name}>
            <button
              type="button"
              aria-label={t`Remove the filter ${text}`}
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
