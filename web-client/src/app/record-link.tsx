import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props {
  to: string;
  /** Parameters of the address, where the record opens over a list. */
  search?: object;
  children: ReactNode;
}

/** The name of a record in a list, which leads to it. */
export function RecordLink({ to, search, children }: Props) {
  return (
    <Link className="record-name" to={to} search={search as never}>
      {children}
    </Link>
  );
}
