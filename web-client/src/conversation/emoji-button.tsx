import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Popover } from '@mantine/core';
import { Smile } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

const EmojiPicker = lazy(async () => ({ default: (await import('./emoji-picker.tsx')).EmojiPicker }));

/** Opens all emoji above the text. */
export function EmojiButton({ disabled, onChoose }: { disabled: boolean; onChoose(emoji: string): void }) {
  const { t } = useLingui();
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top-start"
      trapFocus
      // Once one is chosen the text has the focus.
      returnFocus={false}
      withinPortal
    >
      <Popover.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Smile size={16} aria-hidden />}
          disabled={disabled}
          onClick={() => setOpened((before) => !before)}
        >
          <Trans>Emoji</Trans>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t`Emoji`}>
        <Suspense fallback={<div className="emoji" />}>
          {opened && (
            <EmojiPicker
              onChoose={(emoji) => {
                setOpened(false);
                onChoose(emoji);
              }}
            />
          )}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
