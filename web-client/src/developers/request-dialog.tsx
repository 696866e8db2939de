import { Anchor, Modal, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyField } from '../app/copy-field.tsx';
import { Facts } from '../app/facts.tsx';
import { Status } from '../app/status.tsx';
import type { RequestEntry } from './requests-page.tsx';
import { surfaceNames, toneOf } from './words.ts';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** All that is known of one request. */
export function RequestDialog({ entry, onClose }: { entry: RequestEntry; onClose(): void }) {
  const { caller, code } = entry;
  return (
    <Modal opened onClose={onClose} size="lg" title={`${entry.method} ${entry.path}`}>
      <Stack gap="md">
        <CopyField label="Request id" value={entry.id} />
        <Facts
          facts={[
            { label: 'Status', value: <Status tone={toneOf(entry.status, code)}>{entry.status}</Status> },
            {
              label: 'Error code',
              value:
                code === null ? null : (
                  <Anchor component={Link} to="/developers/errors" hash={code}>
                    {code}
                  </Anchor>
                ),
            },
            { label: 'Field', value: entry.param },
            { label: 'Surface', value: surfaceNames[entry.surface] },
            { label: 'Operation', value: entry.operation },
            { label: 'When', value: exact.format(new Date(entry.at)) },
            { label: 'Took', value: `${entry.duration_ms} ms` },
            {
              label: 'Who',
              value: caller.type === 'api_key' ? `API key ${caller.name ?? caller.id ?? ''}` : caller.name,
            },
            { label: 'Mode', value: entry.livemode ? 'live' : 'test' },
            { label: 'Idempotency-Key', value: entry.idempotency_key },
            {
              label: 'Replayed',
              value: entry.replayed ? 'yes, the stored answer of an earlier request' : 'no',
            },
            { label: 'Address', value: entry.ip },
            { label: 'Program', value: entry.user_agent },
          ]}
        />
      </Stack>
    </Modal>
  );
}
