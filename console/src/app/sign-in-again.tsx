import { Modal } from '@mantine/core';
import { resumeSession } from '../api/session';
import { SignInForm } from '../pages/sign-in/sign-in-form';
import { signInTexts } from '../pages/sign-in/texts';
import { useTexts } from '../texts/texts';

/** A dialog over the page when the session has ended: the page, and what was typed, stay as they are. */
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
