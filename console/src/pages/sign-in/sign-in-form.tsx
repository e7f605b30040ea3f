import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api, client } from '../../api/client';
import { type Me } from '../../api/session';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Result } from '../../kit/loading';
import { useTexts } from '../../texts/texts';
import { signInTexts } from './texts';

/** Channel on which a pop-up window tells the page that opened it that its user has signed in. */
export const SIGNED_IN_CHANNEL = 'waypost.signed-in';

interface Props {
  /** Whether to sign in with the identity provider in a pop-up window, so that the page stays open. */
  inPopUp?: boolean;
  returnTo?: string;
  onSignedIn: (user: Me) => void;
}

/** Sign-in by password, identity provider, or both. */
export function SignInForm({ inPopUp = false, returnTo = '/console', onSignedIn }: Props) {
  const t = useTexts(signInTexts);
  const options = api.useQuery('get', '/api/v1/console/sign-in-options');
  return (
    <Result of={options}>
      {({ passwordLogin, oidc }) => (
        <Stack>
          {passwordLogin && <PasswordForm onSignedIn={onSignedIn} />}
          {passwordLogin && oidc && <Divider label={t('or')} />}
          {oidc &&
            (inPopUp ? (
              <PopUpButton label={oidc.label} onSignedIn={onSignedIn} />
            ) : (
              <Button component="a" variant="default" href={startAddress(returnTo)}>
                {t('with', { name: oidc.label })}
              </Button>
            ))}
          {!passwordLogin && !oidc && <Alert color="orange">{t('noWay')}</Alert>}
        </Stack>
      )}
    </Result>
  );
}

function PasswordForm({ onSignedIn }: Pick<Props, 'onSignedIn'>) {
  const t = useTexts(signInTexts);
  const signIn = useApiForm({
    initialValues: { username: '', password: '' },
    send: (body) => unwrap(client.POST('/api/v1/console/sessions', { body })),
    done: onSignedIn,
  });
  const { form } = signIn;
  return (
    <FormFrame of={signIn} label={t('signIn')} kept={false}>
      <TextInput
        label={t('username')}
        autoComplete="username"
        data-autofocus
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label={t('password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        {...form.getInputProps('password')}
      />
    </FormFrame>
  );
}

function PopUpButton({ label, onSignedIn }: { label: string } & Pick<Props, 'onSignedIn'>) {
  const t = useTexts(signInTexts);
  const [blocked, setBlocked] = useState(false);
  useEffect(() => {
    const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
    channel.onmessage = () => {
      void client.GET('/api/v1/console/me').then(({ data }) => data && onSignedIn(data));
    };
    return () => channel.close();
  }, [onSignedIn]);
  return (
    <>
      <Button
        variant="default"
        onClick={() =>
          setBlocked(
            window.open(
              startAddress('/console/signed-in'),
              'waypost-sign-in',
              'popup,width=520,height=680',
            ) === null,
          )
        }
      >
        {t('with', { name: label })}
      </Button>
      {blocked && <Alert color="orange">{t('blocked')}</Alert>}
    </>
  );
}

export function startAddress(returnTo: string, invitation?: string): string {
  const query = new URLSearchParams({ returnTo, ...(invitation && { invitation }) });
  return `/api/v1/console/oidc/start?${query}`;
}
