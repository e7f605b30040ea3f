import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, PAGED, type Schemas } from '../../api/client';
import { useMay } from '../../api/may';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { RouteLink } from '../../kit/route-link';
import { formatAgo, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { SegmentPanel } from './segment-panel';
import { SegmentState } from './segment-state';
import { segmentTexts } from './texts';

type Summary = Schemas['SegmentSummaryResponse'];

export function SegmentsPage() {
  const t = useTexts(segmentTexts);
  const navigate = useNavigate();
  const [creating, panel] = useDisclosure(false);
  const mayCreate = useMay('createOrganizationSegment');
  const columns = useColumns();
  const list = api.useInfiniteQuery('get', '/segments', { params: { query: { size: 100 } } }, PAGED);
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={16} />} onClick={panel.open}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={list.data && create}>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('title')}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={
              <Empty icon={IconUsersGroup} title={t('emptyTitle')} text={t('emptyText')} action={create} />
            }
          />
        )}
      </Result>
      {creating && (
        <SegmentPanel
          onClose={panel.close}
          onDone={({ id }) => void navigate({ to: '/segments/$id', params: { id: String(id) } })}
        />
      )}
    </Page>
  );
}

function useColumns(): Column<Summary>[] {
  const t = useTexts(segmentTexts);
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('name'),
        cell: ({ id, name, description }) => (
          <>
            <RouteLink to="/segments/$id" params={{ id: String(id) }} size="sm" fw={600}>
              {name}
            </RouteLink>
            {description !== null && (
              <Text size="xs" c="dimmed" lineClamp={1}>
                {description}
              </Text>
            )}
          </>
        ),
      },
      {
        key: 'members',
        title: t('memberCount'),
        align: 'right',
        width: 120,
        cell: ({ memberCount, lastEvaluatedAt }) =>
          lastEvaluatedAt === null ? '–' : <span className="numbers">{formatNumber(memberCount)}</span>,
      },
      {
        key: 'state',
        title: t('state'),
        from: 'sm',
        width: 150,
        cell: ({ isActive }) => <SegmentState isActive={isActive} />,
      },
      {
        key: 'conditions',
        title: t('conditionGroups'),
        from: 'md',
        width: 130,
        cell: ({ conditionGroupCount }) => t('groupCount', { count: conditionGroupCount }),
      },
      {
        key: 'evaluated',
        title: t('lastEvaluated'),
        from: 'sm',
        width: 170,
        cell: ({ lastEvaluatedAt }) => formatAgo(lastEvaluatedAt),
      },
    ],
    [t],
  );
}
