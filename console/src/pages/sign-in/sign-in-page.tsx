import { Alert, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { me, type Me } from '../../api/session';
import { Problem } from '../../kit/loading';
import { Brand } from '../../app/brand';
import { useTexts } from '../../texts/texts';
import { SignInForm } from './sign-in-form';
import { useSignInLink } from './sign-in-link';
import { signInTexts } from './texts';

export function SignInPage() {
  const t = useTexts(signInTexts);
  const router = useRouter();
  const { error, returnTo } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const target = ownPath(returnTo);
  const enter = (user: Me) => {
    me.set(user);
    void navigate({ href: target, replace: true });
  };
  const link = useSignInLink(enter);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="min(25rem, 100%)" shadow="sm">
        <Stack>
          <Brand />
          <Title order={1} size="h3">
            {t('title')}
          </Title>
          {error !== undefined && (
            <Alert color="red" role="alert">
              {t('failed', { code: error })}
            </Alert>
          )}
          {link.error !== null && <Problem error={link.error} {...(link.retry && { retry: link.retry })} />}
          {link.isOpening ? (
            <Text role="status">{t('byLink')}</Text>
          ) : (
            <SignInForm returnTo={router.basepath + target} onSignedIn={enter} />
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

/** The path to return to, or the start page if it is not a path of the console. */
function ownPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : '/';
}
