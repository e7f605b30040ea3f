import { Button, Menu } from '@mantine/core';
import { IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { client, queries } from '../../api/client';
import { confirm } from '../../kit/confirm';
import { unwrap } from '../../kit/form';
import { PART, type Matching, type Selection, SelectionBar } from '../../kit/selection';
import { showDone, showError } from '../../kit/toasts';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import type { Contact } from './contact';
import { contactTexts } from './texts';
import { type ContactGroup, useGroups } from './use-groups';

interface Props {
  /** The loaded ones of the selected contacts. */
  contacts: readonly Contact[];
  selection: Selection;
  select: (selection: Selection) => void;
  matching: Matching;
}

/** Adds the selected contacts to a group, or removes them from it. */
export function ContactBar({ contacts, selection, select, matching }: Props) {
  const t = useTexts(contactTexts);
  const [done, setDone] = useState<number | null>(null);
  const groups = useGroups();
  const busy = done !== null;
  const count = selection.size;
  const formatted = formatNumber(count);
  const isWhole = contacts.length === count;

  const change = async (group: ContactGroup, add: boolean, ids: readonly number[], mayUndo: boolean) => {
    let [from, changed] = [0, 0];
    try {
      for (; from < ids.length; from += PART) {
        changed += await changeMembers(group.id, add, ids.slice(from, from + PART));
        setDone(from);
      }
    } catch (error) {
      showError(error);
    }
    setDone(null);
    select(new Set(ids.slice(from)));
    if (changed > 0 || from >= ids.length) {
      showDone(
        t(add ? 'addedToGroup' : 'removedFromGroup', {
          count: changed,
          formatted: formatNumber(changed),
          group: group.name,
        }),
        mayUndo ? () => void change(group, !add, ids, true) : undefined,
      );
    }
    await queries.invalidateQueries();
  };
  const act = async (group: ContactGroup, add: boolean, ids: readonly number[]) => {
    // Undo needs the earlier memberships, which only loaded contacts have.
    const yes =
      isWhole ||
      (await confirm({
        title: t(add ? 'addMembersTitle' : 'removeMembersTitle', { count, formatted, group: group.name }),
        text: t('membersText'),
        confirm: t(add ? 'addToGroup' : 'removeFromGroup'),
      }));
    if (yes) await change(group, add, ids, isWhole);
  };
  const menu = (add: boolean) => {
    const Icon = add ? IconUserPlus : IconUserMinus;
    const choices = groups.flatMap((group) => {
      // Only contacts whose membership changes, so that Undo does not affect the others.
      const ids = isWhole
        ? contacts.filter(({ groupIds }) => groupIds.includes(group.id) !== add).map(({ id }) => id)
        : [...selection].map(Number);
      return ids.length > 0 ? [{ group, ids }] : [];
    });
    return (
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            disabled={busy || choices.length === 0}
            leftSection={<Icon size={16} />}
          >
            {t(add ? 'addToGroup' : 'removeFromGroup')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {choices.map(({ group, ids }) => (
            <Menu.Item key={group.id} onClick={() => void act(group, add, ids)}>
              {group.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    );
  };
  return (
    <SelectionBar label={t('selectedContacts')} count={count} select={select} done={done} matching={matching}>
      {menu(true)}
      {menu(false)}
    </SelectionBar>
  );
}

/** @returns the number of changed memberships */
async function changeMembers(groupId: number, add: boolean, contactIds: number[]): Promise<number> {
  const call = { params: { path: { id: groupId } }, body: { contactIds } };
  if (add) return (await unwrap(client.POST('/messaging/groups/{id}/members', call))).added;
  return (await unwrap(client.DELETE('/messaging/groups/{id}/members', call))).removed;
}
