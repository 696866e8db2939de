import type { ReactNode } from 'react';
import './status.css';

export type Tone = 'good' | 'warning' | 'bad' | 'info' | 'neutral';

/** The state of a record. The word says it; the colour only helps. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="status" data-tone={tone}>
      {children}
    </span>
  );
}
