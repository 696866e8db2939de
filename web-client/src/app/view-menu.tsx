import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import type { TableView } from './table-view.ts';

interface Props {
  columns: readonly { id: string; label: string }[];
  view: TableView;
  onChange(view: TableView): void;
}

/** Which columns a list has, and how close its rows stand. */
export function ViewMenu({ columns, view, onChange }: Props) {
  const shown = columns.map(({ id }) => id).filter((id) => !view.hidden.has(id));
  return (
    <Menu position="bottom-end" withinPortal closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" leftSection={<SlidersHorizontal size={16} aria-hidden />}>
          <Trans>View</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" className="record-view">
        <Menu.Label>
          <Trans>Columns</Trans>
        </Menu.Label>
        <Menu.CheckboxGroup
          value={shown}
          onChange={(ids) =>
            onChange({
              ...view,
              hidden: new Set(columns.map(({ id }) => id).filter((id) => !ids.includes(id))),
            })
          }
        >
          {columns.map(({ id, label }) => (
            <Menu.CheckboxItem key={id} value={id}>
              {label}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
        <Menu.Divider />
        <Menu.Label>
          <Trans>Density</Trans>
        </Menu.Label>
        <Menu.RadioGroup
          value={view.compact ? 'compact' : 'comfortable'}
          onChange={(density) => onChange({ ...view, compact: density === 'compact' })}
        >
          <Menu.RadioItem value="comfortable">
            <Trans>Comfortable</Trans>
          </Menu.RadioItem>
          <Menu.RadioItem value="compact">
            <Trans>Compact</Trans>
          </Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
