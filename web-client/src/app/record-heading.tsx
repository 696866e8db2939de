import { useLingui } from '@lingui/react/macro';
import { Checkbox, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';

export interface RecordSort {
  /** The word that sorts by it, and the direction that the server then gives. */
  by: string;
  direction: 'ascending' | 'descending';
}

interface Props {
  label: string;
  number?: true | undefined;
  sort?: RecordSort | undefined;
  sorting: { value: string; onChange(by: string): void } | undefined;
}

/** The head of a column; a button where the server sorts by it. */
export function RecordHeading({ label, sort, number, sorting }: Props) {
  const sorted = sort !== undefined && sorting?.value === sort.by;
  const Arrow = sort?.direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" aria-sort={sorted ? sort.direction : undefined} data-number={number}>
      {sort && sorting ? (
        <UnstyledButton className="record-sort" onClick={() => sorting.onChange(sort.by)}>
          {label}
          {sorted && <Arrow size={14} aria-hidden />}
        </UnstyledButton>
      ) : (
        label
      )}
    </th>
  );
}

interface SelectAllProps {
  ids: readonly string[];
  selected: ReadonlySet<string>;
  onChange(selected: ReadonlySet<string>): void;
}

/** Ticks every row that is loaded, or none. */
export function SelectAll({ ids, selected, onChange }: SelectAllProps) {
  const { t } = useLingui();
  const all = ids.every((id) => selected.has(id));
  return (
    <th scope="col" className="record-check">
      <Checkbox
        aria-label={t`Select all that are loaded`}
        checked={all}
        indeterminate={!all && ids.some((id) => selected.has(id))}
        onChange={() => onChange(new Set(all ? [] : ids))}
      />
    </th>
  );
}
