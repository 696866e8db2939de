import { Trans, useLingui } from '@lingui/react/macro';
import { Kbd, Tour as Guide } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import './tour.css';

/** What a day in the inbox is made of, in five steps. Escape ends it. */
export function Tour({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  // On a phone either fills the screen: the words stand in its middle.
  const pane = narrow ? {} : { target: '.inbox-pane', position: 'left' as const };
  const list = narrow ? {} : { target: '.inbox-side', position: 'right' as const };
  return (
    <Guide
      active
      onClose={onClose}
      labels={{ skip: t`Skip the tour`, next: t`Next`, back: t`Back`, close: t`Done` }}
      closeOnOverlayClick
      withCloseButton={false}
    >
      <Guide.Step {...list} title={t`The list`}>
        <Trans>
          Everybody who waits for an answer is here, the newest first. It is always current: nothing has to be
          reloaded.
        </Trans>
      </Guide.Step>
      <Guide.Step {...pane} title={t`The conversation`}>
        <Trans>
          What was said and done, oldest first, with what became of each message. You answer at the end of it.
        </Trans>
      </Guide.Step>
      <Guide.Step target="#help" title={t`Find everything`}>
        <Trans>
          <Kbd>Ctrl</Kbd> <Kbd>K</Kbd> finds every page and every action by name.
        </Trans>
      </Guide.Step>
      <Guide.Step {...pane} title={t`Private notes`}>
        <Trans>
          Switch from Reply to Private note to talk to your colleagues. Customers never see it; @ mentions
          somebody.
        </Trans>
      </Guide.Step>
      <Guide.Step target="#help" title={t`Without the mouse`}>
        <Trans>
          <Kbd>J</Kbd> and <Kbd>K</Kbd> move, <Kbd>R</Kbd> replies, <Kbd>E</Kbd> closes, <Kbd>Z</Kbd> takes
          back. <Kbd>?</Kbd> lists all keys. The tour is here again under Help.
        </Trans>
      </Guide.Step>
    </Guide>
  );
}
