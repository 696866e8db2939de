import type { ReactNode } from 'react';
import { readStored, writeStored } from './stored.ts';

interface Props {
  title: string;
  /** For what leads here. */
  id?: string;
  children: ReactNode;
}

/** A part of the side panel that can be folded; how it was left is remembered. */
export function PanelSection({ title, id, children }: Props) {
  const name = `panel.${title}`;
  return (
    <details
      id={id}
      className="panel-section"
      open={readStored<boolean>(name) ?? true}
      onToggle={({ currentTarget: { open } }) => writeStored(name, open ? null : false)}
    >
      <summary>
        <h3>{title}</h3>
      </summary>
      <div className="panel-body">{children}</div>
    </details>
  );
}
