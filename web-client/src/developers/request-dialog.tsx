import { useLingui } from '@lingui/react/macro';
import { Anchor, Modal, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyField } from '../app/copy-field.tsx';
import { Facts } from '../app/facts.tsx';
import { Status } from '../app/status.tsx';
import type { RequestEntry } from './requests-page.tsx';
import { surfaceNames, toneOf } from './words.ts';
import { dateFormat } from '../language/formats.ts';

const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'long' });

/** All that is known of one request. */
export function RequestDialog({ entry, onClose }: { entry: RequestEntry; onClose(): void }) {
  const { t } = useLingui();
  const { caller, code } = entry;
  return (
    <Modal opened onClose={onClose} size="lg" title={`${entry.method} ${entry.path}`}>
      <Stack gap="md">
        <CopyField label={t`Request id`} value={entry.id} />
        <Facts
          facts={[
            { label: t`Status`, value: <Status tone={toneOf(entry.status, code)}>{entry.status}</Status> },
            {
              label: t`Error code`,
              value:
                code === null ? null : (
                  <Anchor component={Link} to="/developers/errors" hash={code}>
                    {code}
                  </Anchor>
                ),
            },
            { label: t`Field`, value: entry.param },
            { label: t`Surface`, value: surfaceNames[entry.surface] },
            { label: t`Operation`, value: entry.operation },
            { label: t`When`, value: exact.format(new Date(entry.at)) },
            { label: t`Took`, value: `${entry.duration_ms} ms` },
            {
              label: t`Who`,
              value: caller.type === 'api_key' ? t`API key ${caller.name ?? caller.id ?? ''}` : caller.name,
            },
            { label: t`Mode`, value: entry.livemode ? 'live' : 'test' },
            { label: 'Idempotency-Key', value: entry.idempotency_key },
            {
              label: t`Replayed`,
              value: entry.replayed ? 'yes, the stored answer of an earlier request' : 'no',
            },
            { label: t`Address`, value: entry.ip },
            { label: t`Program`, value: entry.user_agent },
          ]}
        />
      </Stack>
    </Modal>
  );
}
