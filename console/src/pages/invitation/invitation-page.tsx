import { Button, Center, Divider, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, client } from '../../api/client';
import { me } from '../../api/session';
import { Brand } from '../../app/brand';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Loading, Problem } from '../../kit/loading';
import { formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { startAddress } from '../sign-in/sign-in-form';
import { invitationTexts } from './texts';

/** Target page of invitation links. */
export function InvitationPage() {
  const t = useTexts(invitationTexts);
  const { token } = useParams({ from: '/invitations/$token' });
  const path = { params: { path: { token } } };
  const { data, error, refetch } = api.useQuery('get', '/api/v1/console/invitations/{token}', path);
  const options = api.useQuery('get', '/api/v1/console/sign-in-options');
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="min(27rem, 100%)" shadow="sm">
        <Stack>
          <Brand />
          {error && <Problem error={error} retry={() => void refetch()} />}
          {error && (
            <Button component={Link} to="/sign-in" variant="default">
              {t('toSignIn')}
            </Button>
          )}
          {!data && !error && <Loading />}
          {data && (
            <>
              <Title order={1} size="h3">
                {t('title', { organization: data.organizationName })}
              </Title>
              <Text>
                {t('text', { organization: data.organizationName, until: formatDateTime(data.expiresAt) })}
              </Text>
              {data.email !== null && <Text>{t('forAddress', { email: data.email })}</Text>}
              {options.data?.passwordLogin && <AcceptForm token={token} />}
              {options.data?.passwordLogin && options.data.oidc && <Divider label={t('or')} />}
              {options.data?.oidc && (
                <Button component="a" variant="default" href={startAddress('/console', token)}>
                  {t('with', { name: options.data.oidc.label })}
                </Button>
              )}
            </>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

function AcceptForm({ token }: { token: string }) {
  const t = useTexts(invitationTexts);
  const navigate = useNavigate();
  const accept = useApiForm({
    initialValues: { name: '', username: '', password: '' },
    send: ({ name, ...body }) =>
      unwrap(
        client.POST('/api/v1/console/invitations/{token}/accept', {
          params: { path: { token } },
          body: { ...body, name: name.trim() || null },
        }),
      ),
    done: (user) => {
      me.set(user);
      void navigate({ to: '/', replace: true });
    },
  });
  const { form } = accept;
  return (
    <FormFrame of={accept} label={t('join')} kept={false}>
      <TextInput label={t('name')} autoComplete="name" {...form.getInputProps('name')} />
      <TextInput
        label={t('username')}
        description={t('usernameHint')}
        autoComplete="username"
        required
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        {...form.getInputProps('password')}
      />
    </FormFrame>
  );
}
