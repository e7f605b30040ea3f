import { Badge, Group, Menu, Text } from '@mantine/core';
import { IconChartBar, IconCopyPlus, IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { May } from '../../api/may';
import { ActionsMenu } from '../../kit/actions-menu';
import { useConversionColumns } from '../../kit/conversion-columns';
import type { Column } from '../../kit/data-table';
import { RouteLink } from '../../kit/route-link';
import { RowName } from '../../kit/row-name';
import type { Conversions } from '../../kit/use-conversions';
import { common } from '../../texts/common';
import { formatAgo, formatDate, formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { changeLinks } from './change-links';
import { ClickCell } from './click-cell';
import { calledOf, type Kind, KINDS, type TrackedLink } from './kinds';
import { nameOf } from './link';
import { StateBadge } from './state-badge';
import { linkTexts } from './texts';
import { SwitchItems } from './switch-items';
import { type ChangeView, type ListView, tagsOf, tagsText } from './view';

const TAGS_SHOWN = 2;
const keyOf = ({ id }: TrackedLink) => String(id);

interface Shown {
  kind: Kind;
  view: ListView;
  change: ChangeView;
  edit: (id: number) => void;
  conversions: Conversions;
}

/** Columns of the list of links or campaigns. */
export function useLinkColumns({ kind, view, change, edit, conversions }: Shown): Column<TrackedLink>[] {
  const t = useTexts(linkTexts);
  const besideClicks = useConversionColumns(conversions, keyOf);
  return useMemo(
    () => [
      {
        key: 'link',
        title: t('link', { context: kind }),
        sort: 'name',
        grows: true,
        cell: (link) => <Name kind={kind} link={link} />,
      },
      {
        key: 'tags',
        title: t('tags'),
        from: 'lg',
        width: 220,
        cell: ({ tags }) => (
          <Tags
            tags={tags}
            onPick={(tag) => {
              if (!tagsOf(view).includes(tag)) change({ tags: tagsText([...tagsOf(view), tag]) });
            }}
          />
        ),
      },
      { key: 'state', title: t('state'), from: 'sm', width: 130, cell: (link) => <StateBadge of={link} /> },
      {
        key: 'clicks',
        title: t('clicks'),
        sort: 'clickCount',
        align: 'right',
        width: 100,
        cell: (item) => <ClickCell {...item} />,
      },
      ...besideClicks,
      {
        key: 'created',
        title: t('created'),
        sort: 'createdAt',
        from: 'md',
        width: 140,
        cell: ({ createdAt }) => <Time of={createdAt} shown={formatAgo(createdAt)} />,
      },
      {
        key: 'updated',
        title: t('updated'),
        sort: 'updatedAt',
        optional: true,
        width: 140,
        cell: ({ updatedAt }) => <Time of={updatedAt} shown={formatAgo(updatedAt)} />,
      },
      {
        key: 'expires',
        title: t('expires'),
        sort: 'expiresAt',
        from: besideClicks.length > 0 ? 'xl' : 'lg',
        width: 130,
        cell: ({ expiresAt }) => <Time of={expiresAt} shown={formatDate(expiresAt)} />,
      },
      {
        key: 'menu',
        title: t('rowActions'),
        titleHidden: true,
        align: 'right',
        width: 60,
        cell: (link) => <RowMenu kind={kind} link={link} edit={edit} />,
      },
    ],
    [t, kind, view, change, edit, besideClicks],
  );
}

function Time({ of, shown }: { of: string | null; shown: string }) {
  return (
    <Text size="sm" title={formatDateTime(of)}>
      {shown}
    </Text>
  );
}

interface RowProps {
  kind: Kind;
  link: TrackedLink;
}

function Name({ kind, link }: RowProps) {
  const name = nameOf(link);
  return (
    <RowName name={name} link={link.link} destination={link.originalUrl}>
      <RouteLink to={KINDS[kind].page} params={{ id: String(link.id) }} fw={600} size="sm">
        {name}
      </RouteLink>
    </RowName>
  );
}

function Tags({ tags, onPick }: { tags: readonly string[]; onPick: (tag: string) => void }) {
  const t = useTexts(linkTexts);
  return (
    <Group gap={4} wrap="nowrap">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <Badge
          key={tag}
          component="button"
          type="button"
          variant="default"
          size="sm"
          maw={140}
          aria-label={t('filterByTag', { tag })}
          style={{ cursor: 'pointer' }}
          onClick={() => onPick(tag)}
        >
          {tag}
        </Badge>
      ))}
      {tags.length > TAGS_SHOWN && (
        <Text size="xs" c="dimmed" title={tags.slice(TAGS_SHOWN).join(', ')}>
          {`+${tags.length - TAGS_SHOWN}`}
        </Text>
      )}
    </Group>
  );
}

function RowMenu({ kind, link, edit }: RowProps & { edit: (id: number) => void }) {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const navigate = useNavigate();
  const { page, calls } = KINDS[kind];
  const { id } = link;
  return (
    <ActionsMenu label={t('actionsOf', { name: calledOf(link) })} inRow>
      <Menu.Item
        leftSection={<IconChartBar size={16} />}
        onClick={() => void navigate({ to: page, params: { id: String(id) } })}
      >
        {t('statistics')}
      </Menu.Item>
      <May call={`updateOrganization${calls}`}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => edit(id)}>
          {c('edit')}
        </Menu.Item>
      </May>
      {kind === 'link' && <DuplicateItem id={id} />}
      <May call={`changeOrganization${calls}s`}>
        <SwitchItems of={link} change={(change) => changeLinks([id], change, { kind, links: [link] })} />
      </May>
    </ActionsMenu>
  );
}

/** Opens the form of a new link with this one's values. */
export function DuplicateItem({ id }: { id: number }) {
  const t = useTexts(linkTexts);
  const navigate = useNavigate();
  return (
    <May call="createOrganizationShortUrl">
      <Menu.Item
        leftSection={<IconCopyPlus size={16} />}
        onClick={() => void navigate({ to: '/links', search: { new: `copy-${id}` } })}
      >
        {t('duplicate')}
      </Menu.Item>
    </May>
  );
}
