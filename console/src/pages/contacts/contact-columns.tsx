import { Badge, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Column } from '../../kit/data-table';
import { RouteLink } from '../../kit/route-link';
import { formatAgo } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { type Contact, nameOf } from './contact';
import { contactTexts } from './texts';
import { useGroups } from './use-groups';

const SHOWN = 3;

export function useContactColumns(): Column<Contact>[] {
  const t = useTexts(contactTexts);
  const groups = useGroups();
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('name'),
        width: '24%',
        cell: (contact) => (
          <>
            <Group gap={6}>
              <RouteLink to="/contacts/$id" params={{ id: String(contact.id) }} size="sm" fw={600}>
                {nameOf(contact)}
              </RouteLink>
              {contact.blocked && <Badge color="red.8">{t('blocked')}</Badge>}
            </Group>
            {contact.name !== null && contact.externalUserId !== null && (
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {contact.externalUserId}
              </Text>
            )}
          </>
        ),
      },
      {
        key: 'phone',
        title: t('phoneNumber'),
        folds: true,
        width: 170,
        cell: ({ phoneNumber, optedOut }) => (
          <Address value={phoneNumber} out={optedOut.sms} label={t('optedOut')} />
        ),
      },
      {
        key: 'email',
        title: t('email'),
        folds: true,
        cell: ({ email, optedOut }) => <Address value={email} out={optedOut.email} label={t('optedOut')} />,
      },
      {
        key: 'groups',
        title: t('groups'),
        from: 'lg',
        cell: ({ groupIds }) => (
          <Some names={groupIds.map((id) => groups.find((group) => group.id === id)?.name ?? `#${id}`)} />
        ),
      },
      { key: 'tags', title: t('tags'), from: 'lg', cell: ({ tags }) => <Some names={tags} /> },
      {
        key: 'updated',
        title: t('updated'),
        from: 'md',
        cell: ({ updatedAt }) => formatAgo(updatedAt),
        width: 150,
      },
    ],
    [t, groups],
  );
}

function Address({ value, out, label }: { value: string | null; out: boolean; label: string }) {
  if (value === null) return null;
  return (
    <>
      <Text size="sm" className="numbers" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      {out && <Badge color="gray.7">{label}</Badge>}
    </>
  );
}

function Some({ names }: { names: readonly string[] }) {
  if (names.length === 0) return '–';
  return (
    <Group gap={4}>
      {names.slice(0, SHOWN).map((name) => (
        <Badge key={name} variant="default" fw={500} maw={180}>
          {name}
        </Badge>
      ))}
      {names.length > SHOWN && <Text size="xs">+{names.length - SHOWN}</Text>}
    </Group>
  );
}
