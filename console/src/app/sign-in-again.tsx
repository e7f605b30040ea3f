import { Modal } from '@mantine/core';
import { resumeSession } from '../api/session';
import { SignInForm } from '../pages/sign-in/sign-in-form';
import { signInTexts } from '../pages/sign-in/texts';
import { useTexts } from '../texts/texts';

/** A dialog over the page after the session has ended, so that the page keeps its state and unsaved input. */
export function SignInAgain() {
  const t = useTexts(signInTexts);
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title={t('ended')}
      zIndex={460}
    >
      <SignInForm inPopUp onSignedIn={resumeSession} />
    </Modal>
  );
}
