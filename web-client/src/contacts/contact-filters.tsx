import { useLingui } from '@lingui/react/macro';
import { useCan } from '../account/use-profile.ts';
import { FilterSelect } from '../app/filter-select.tsx';
import { SearchField } from '../app/search-field.tsx';
import { useAllTags } from '../tags/use-all-tags.ts';
import { countries } from './countries.ts';
import type { ContactsSearch } from './routes.ts';

interface Props {
  value: ContactsSearch;
  onChange(patch: ContactsSearch): void;
}

/** What the list can be narrowed by. All of it stands in the address. */
export function ContactFilters({ value, onChange }: Props) {
  const { t } = useLingui();
  const seesTags = useCan()('inbox.access');
  const tags = useAllTags(seesTags);
  return (
    <search className="record-filters">
      <SearchField label={t`Name, phone or e-mail`} value={value.q} onChange={(q) => onChange({ q })} />
      {seesTags && (
        <FilterSelect
          label={t`Tag`}
          all={t`Any tag`}
          options={tags.map(({ id, name }) => ({ value: id, label: name }))}
          value={value.tag}
          onChange={(tag) => onChange({ tag })}
        />
      )}
      <FilterSelect
        label={t`Country`}
        all={t`Any country`}
        options={countries()}
        value={value.country}
        onChange={(country) => onChange({ country })}
      />
      <FilterSelect
        label={t`Marketing`}
        all={t`Subscribed or not`}
        options={[
          { value: 'true', label: t`Subscribed` },
          { value: 'false', label: t`Unsubscribed` },
        ]}
        value={wordOf(value.subscribed)}
        onChange={(word) => onChange({ subscribed: flagOf(word) })}
      />
      <FilterSelect
        label={t`Blocked`}
        all={t`Blocked or not`}
        options={[
          { value: 'true', label: t`Blocked` },
          { value: 'false', label: t`Not blocked` },
        ]}
        value={wordOf(value.blocked)}
        onChange={(word) => onChange({ blocked: flagOf(word) })}
      />
    </search>
  );
}

const wordOf = (flag: boolean | undefined) => (flag === undefined ? undefined : flag ? 'true' : 'false');
const flagOf = (word: 'true' | 'false' | undefined) => (word === undefined ? undefined : word === 'true');
