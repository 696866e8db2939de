import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import './back-link.css';

/** From one record to the list of all. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} size="sm" className="back-link">
      <ArrowLeft size={16} aria-hidden /> {children}
    </Anchor>
  );
}
