import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The name of a record in a list, which leads to it. */
export function RecordLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="record-name" to={to}>
      {children}
    </Link>
  );
}
