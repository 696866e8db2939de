import { useLingui } from '@lingui/react/macro';
import { ActionIcon, Code, Text } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';

/** Lines to take along, with a button that copies them. */
export function CodeBlock({ title, children }: { title: string; children: string }) {
  const { t } = useLingui();
  const [outcome, setOutcome] = useState<'copied' | 'denied' | null>(null);
  const copy = () => {
    navigator.clipboard.writeText(children).then(
      () => setOutcome('copied'),
      () => setOutcome('denied'),
    );
  };
  return (
    <div className="developers-block">
      <Code block className="wrapped developers-code" tabIndex={0} role="region" aria-label={title}>
        {children}
      </Code>
      <ActionIcon
        className="developers-copy"
        variant="default"
        aria-label={t`Copy: ${title}`}
        title={t`Copy`}
        onClick={copy}
      >
        {outcome === 'copied' ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      </ActionIcon>
      <Text size="sm" role="status" className={outcome === 'denied' ? undefined : 'visually-hidden'}>
        {outcome === 'copied' && t`Copied.`}
        {outcome === 'denied' &&
          t`The browser refused to copy. Select the text and copy it with the keyboard.`}
      </Text>
    </div>
  );
}
