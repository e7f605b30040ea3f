import { ActionIcon, Badge, Button, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api, client, queries } from '../../api/client';
import { confirm } from '../../kit/confirm';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { limited } from '../../kit/limited';
import { Result } from '../../kit/loading';
import { Panel } from '../../kit/panel';
import { showDone, showError } from '../../kit/toasts';
import { mayLeave } from '../../kit/typed';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { contactTexts } from './texts';
import { type ContactGroup, useGroups } from './use-groups';

interface Props {
  onClose: () => void;
  /** Lists the members of a group. */
  onShow: (id: number) => void;
}

/** Creates, renames and deletes groups. */
export function GroupsPanel({ onClose, onShow }: Props) {
  const t = useTexts(contactTexts);
  const groups = useGroups();
  const [edited, edit] = useState<number | 'new' | null>(null);
  const done = () => edit(null);
  const begin = async (which: number | 'new') => {
    if (await mayLeave()) edit(which);
  };
  return (
    <Panel opened title={t('groups')} onClose={onClose}>
      <Stack>
        <Text size="sm">{t('groupsText')}</Text>
        {edited === 'new' ? (
          <GroupForm group={null} onDone={done} />
        ) : (
          <Button leftSection={<IconPlus size={16} />} onClick={() => void begin('new')} data-autofocus>
            {t('newGroup')}
          </Button>
        )}
        <Stack gap="xs">
          {groups.map((group) =>
            edited === group.id ? (
              <StoredGroup key={group.id} id={group.id} onDone={done} />
            ) : (
              <GroupRow
                key={group.id}
                group={group}
                onEdit={() => void begin(group.id)}
                onShow={() => onShow(group.id)}
              />
            ),
          )}
        </Stack>
      </Stack>
    </Panel>
  );
}

interface RowProps {
  group: ContactGroup;
  onEdit: () => void;
  onShow: () => void;
}

function GroupRow({ group, onEdit, onShow }: RowProps) {
  const t = useTexts(contactTexts);
  const c = useTexts(common);
  const { id, name, description, isDefault, memberCount } = group;
  const remove = async () => {
    const question = { title: t('deleteGroupTitle'), text: t('deleteGroupText'), confirm: c('delete'), name };
    if (!(await confirm(question))) return;
    await unwrap(client.DELETE('/messaging/groups/{id}', { params: { path: { id } } }));
    await queries.invalidateQueries();
    showDone(t('groupDeleted'));
  };
  return (
    <Paper withBorder p="sm">
      <Group wrap="nowrap" align="flex-start">
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group gap={6}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {isDefault && <Badge color="gray.7">{t('defaultGroup')}</Badge>}
          </Group>
          {description !== null && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {description}
            </Text>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            ml={-8}
            aria-label={t('showMembers', { name })}
            onClick={onShow}
          >
            {t('members', { count: memberCount, formatted: formatNumber(memberCount) })}
          </Button>
        </div>
        <ActionIcon variant="subtle" aria-label={t('editGroup', { name })} onClick={onEdit}>
          <IconEdit size={18} />
        </ActionIcon>
        {!isDefault && (
          <ActionIcon
            variant="subtle"
            color="red.8"
            aria-label={t('deleteGroup', { name })}
            onClick={() => void remove().catch(showError)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  );
}

/** Loads the group before editing, so that its ETag also covers changes since the list was loaded. */
function StoredGroup({ id, onDone }: { id: number; onDone: () => void }) {
  const group = api.useQuery('get', '/messaging/groups/{id}', { params: { path: { id } } });
  return <Result of={group}>{(data) => <GroupForm group={data} onDone={onDone} />}</Result>;
}

function GroupForm({ group, onDone }: { group: ContactGroup | null; onDone: () => void }) {
  const t = useTexts(contactTexts);
  const c = useTexts(common);
  const edit = useApiForm({
    initialValues: { name: group?.name ?? '', description: group?.description ?? '' },
    send: ({ name, description }) => {
      const body = { name, description: description === '' ? null : description };
      return group
        ? unwrap(client.PUT('/messaging/groups/{id}', { params: { path: { id: group.id } }, body }))
        : unwrap(client.POST('/messaging/groups', { body }));
    },
    done: () => {
      showDone(t(group ? 'groupSaved' : 'groupCreated'));
      onDone();
    },
  });
  const { form } = edit;
  return (
    <Paper withBorder p="sm">
      <FormFrame
        of={edit}
        label={group ? c('save') : t('createGroup')}
        extra={
          <Button variant="default" onClick={onDone}>
            {c('cancel')}
          </Button>
        }
      >
        <TextInput
          label={t('groupName')}
          required

          ref={focus}
          {...limited(100, form.getInputProps('name'))}
        />
        <Textarea
          label={t('groupDescription')}

          autosize
          minRows={1}
          {...limited(500, form.getInputProps('description'))}
        />
      </FormFrame>
    </Paper>
  );
}

/** The form replaces the button that had the focus. */
function focus(field: HTMLInputElement | null): void {
  field?.focus();
}
