import { Trans, useLingui } from '@lingui/react/macro';
import { Modal, Text } from '@mantine/core';
import { useProfile } from '../account/use-profile.ts';
import { SignInForm } from '../sign-in/sign-in-form.tsx';
import { sessionResumed } from './session.ts';
import { queryClient } from './trpc.ts';

/** Over a page whose session has ended: what was typed below it stays. */
export function SignedOut() {
  const { t } = useLingui();
  const { email } = useProfile();
  const resume = () => {
    sessionResumed();
    void queryClient.invalidateQueries();
  };
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t`Your session has ended`}
      centered
    >
      <Text mb="md">
        <Trans>Sign in again to go on. Nothing you have typed is lost.</Trans>
      </Text>
      <SignInForm email={email} onSignedIn={resume} />
    </Modal>
  );
}
