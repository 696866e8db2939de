import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { variablePattern } from '../../../schema/words.ts';
import { useProfile } from '../account/use-profile.ts';
import './quick-replies.css';

/** A text with variables as somebody would get it. What was filled in is marked. */
export function Preview({ text, contact = 'Ana Sousa' }: { text: string; contact?: string | null }) {
  const { t } = useLingui();
  const { name, company } = useProfile();
  const sample: Record<string, string> = {
    'contact.name': contact ?? '',
    'contact.first_name': contact?.split(' ')[0] ?? '',
    'agent.name': name,
    'company.name': company.name,
    'order.number': '1042',
  };
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        <Trans>As {contact ?? t`somebody without a name`} would read it</Trans>
      </Text>
      <div className="reply-preview">{text.trim() === '' ? t`Nothing yet.` : filled(text, sample)}</div>
    </div>
  );
}

function filled(text: string, values: Record<string, string>): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(variablePattern)) {
    const [whole, name = '', fallback = ''] = match;
    const value = values[name.trim()];
    parts.push(
      text.slice(from, match.index),
      <mark key={match.index}>{value === undefined || value === '' ? fallback : value}</mark>,
    );
    from = match.index + whole.length;
  }
  return [...parts, text.slice(from)];
}
