import { PasswordInput, TextInput } from '@mantine/core';
import { api, client, type Schemas } from '../../api/client';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Result } from '../../kit/loading';
import { Panel } from '../../kit/panel';
import { showDone } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { AccessFields, type AccessValues } from './access-fields';
import { settingsTexts } from './texts';

type User = Schemas['UserResponse'];

interface Props {
  onClose: () => void;
}

/** Adds a user with a password, or changes one. */
export function UserPanel({ id, onClose }: Props & { id?: number }) {
  const t = useTexts(settingsTexts);
  return (
    <Panel opened title={t(id === undefined ? 'addUser' : 'editUser')} onClose={onClose}>
      {id === undefined ? <UserForm onClose={onClose} /> : <StoredUser id={id} onClose={onClose} />}
    </Panel>
  );
}

function StoredUser({ id, onClose }: Props & { id: number }) {
  const user = api.useQuery('get', '/users/{id}', { params: { path: { id } } });
  return <Result of={user}>{(data) => <UserForm user={data} onClose={onClose} />}</Result>;
}

function UserForm({ user, onClose }: Props & { user?: User }) {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const access: AccessValues = { role: user?.role ?? 'VIEWER', permissions: user?.permissions ?? [] };
  const edit = useApiForm({
    initialValues: {
      name: user?.name ?? '',
      username: user?.username ?? '',
      email: user?.email ?? '',
      password: '',
      ...access,
    },
    send: ({ name, email, password, username, ...rest }) => {
      const who = { ...rest, name: name.trim() || null };
      const address = email.trim() || null;
      if (!user)
        return unwrap(client.POST('/users', { body: { ...who, username, email: address, password } }));
      const body = {
        ...who,
        ...(username !== user.username && { username }),
        ...(address !== user.email && { email: address }),
        ...(password && { password }),
      };
      return unwrap(client.PATCH('/users/{id}', { params: { path: { id: user.id } }, body }));
    },
    done: () => {
      showDone(user ? c('saved') : t('userAdded'));
      onClose();
    },
  });
  const { form } = edit;
  return (
    <FormFrame of={edit} label={user ? c('save') : t('addUser')}>
      <TextInput label={t('name')} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={t('username')} required autoComplete="off" {...form.getInputProps('username')} />
      <TextInput label={t('email')} type="email" autoComplete="off" {...form.getInputProps('email')} />
      <PasswordInput
        label={t(user ? 'newPassword' : 'password')}
        description={t('passwordHint')}
        required={!user}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        {...form.getInputProps('password')}
      />
      <AccessFields form={form} />
    </FormFrame>
  );
}
