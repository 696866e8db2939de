import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { CopyField } from '../app/copy-field.tsx';
import type { Channel } from './channels-page.tsx';

/** The line that puts a web chat on a page. */
export function Snippet({ channel: { id } }: { channel: Pick<Channel, 'id'> }) {
  const { t } = useLingui();
  return (
    <Stack gap={4}>
      <CopyField
        label={t`Put this on your pages`}
        value={`<script src="${location.origin}/webchat/widget.js" data-channel="${id}" async></script>`}
      />
      <Text size="sm" c="dimmed">
        <Trans>It shows on the pages that are allowed above, and on no others.</Trans>
      </Text>
    </Stack>
  );
}
