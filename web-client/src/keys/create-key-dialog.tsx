import { useLingui } from '@lingui/react/macro';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { KeyWizard } from './key-wizard.tsx';
import { ShowKey } from './show-key.tsx';

/** Asks what the key is for, then shows it, once. It is kept in this dialog alone and goes with it. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const [key, setKey] = useState<string | null>(null);
  const shown = key !== null;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={shown ? t`Your new key` : t`New API key`}
      closeOnEscape={!shown}
      closeOnClickOutside={false}
      withCloseButton={!shown}
    >
      {shown ? <ShowKey value={key} onClose={onClose} /> : <KeyWizard onCreated={setKey} />}
    </Modal>
  );
}
