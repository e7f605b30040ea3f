import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { client, queries } from '../../api/client';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import type { Contact } from './contact';
import { contactTexts } from './texts';
import { type ContactGroup, useGroups } from './use-groups';

const AT_ONCE = 1_000;

/** Adds the selected contacts to a group, or removes them from it. */
export function SelectionBar({ selected, onDone }: { selected: readonly Contact[]; onDone: () => void }) {
  const t = useTexts(contactTexts);
  const c = useTexts(common);
  const [busy, setBusy] = useState(false);
  const groups = useGroups();
  const change = async (group: ContactGroup, add: boolean, contactIds: readonly number[]) => {
    await changeMembers(group.id, add, contactIds);
    await queries.invalidateQueries();
    showDone(
      t(add ? 'addedToGroup' : 'removedFromGroup', { count: contactIds.length, group: group.name }),
      () => void change(group, !add, contactIds).catch(showError),
    );
  };
  const act = (group: ContactGroup, add: boolean, contactIds: readonly number[]) => {
    setBusy(true);
    change(group, add, contactIds)
      .then(onDone)
      .catch(showError)
      .finally(() => setBusy(false));
  };
  const menu = (add: boolean) => {
    const Icon = add ? IconUserPlus : IconUserMinus;
    const choices = groups.flatMap((group) => {
      // Only those whose membership changes, so that undoing it changes no other.
      const ids = selected.filter(({ groupIds }) => groupIds.includes(group.id) !== add).map(({ id }) => id);
      return ids.length > 0 ? [{ group, ids }] : [];
    });
    return (
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            size="compact-md"
            variant="default"
            disabled={busy || choices.length === 0}
            leftSection={<Icon size={16} />}
          >
            {t(add ? 'addToGroup' : 'removeFromGroup')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {choices.map(({ group, ids }) => (
            <Menu.Item key={group.id} onClick={() => act(group, add, ids)}>
              {group.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    );
  };
  return (
    <Paper withBorder p="xs" pos="sticky" top={64} style={{ zIndex: 20 }} role="group">
      <Group gap="xs">
        <Text size="sm" fw={600} px="xs">
          {c('selected', { count: selected.length, formatted: formatNumber(selected.length) })}
        </Text>
        {menu(true)}
        {menu(false)}
        <Button size="compact-md" variant="subtle" onClick={onDone}>
          {t('unselect')}
        </Button>
      </Group>
    </Paper>
  );
}

async function changeMembers(groupId: number, add: boolean, ids: readonly number[]): Promise<void> {
  const params = { path: { id: groupId } };
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const body = { contactIds: ids.slice(from, from + AT_ONCE) };
    if (add) await unwrap(client.POST('/messaging/groups/{id}/members', { params, body }));
    else await unwrap(client.DELETE('/messaging/groups/{id}/members', { params, body }));
  }
}
