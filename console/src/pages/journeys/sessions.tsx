import { Badge, Group, Select, Stack, Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api, PAGED, type Schemas } from '../../api/client';
import { listOrganizationSessionsOfApps_stage } from '../../api/values.gen';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { RouteLink } from '../../kit/route-link';
import { SearchField } from '../../kit/search-field';
import { isBoolean, useView } from '../../kit/view';
import { formatDateTime, formatMoney, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { PlatformName } from './platform-name';
import { Shown } from './shown';
import { resourceOf } from './source';
import { SourceLink } from './source-link';
import { journeyTexts } from './texts';
import type { JourneysView } from './use-journeys-view';

type Session = Schemas['ListedSession'];

const VIEW = { stage: '', converted: '', person: '' };
const ANSWERS = ['true', 'false'] as const;
const ALLOWED = { converted: isBoolean };

export function Sessions({ view }: { view: JourneysView }) {
  const t = useTexts(journeyTexts);
  const [{ stage: givenStage, converted, person }, change] = useView(VIEW, ALLOWED);
  const stage = listOrganizationSessionsOfApps_stage.find((each) => each === givenStage);
  const { appId, platform, source, days } = view;
  const { baseCurrency } = api.useSuspenseQuery('get', '/').data;
  const query = {
    ...days,
    ...resourceOf(source),
    size: 50,
    ...(appId !== null && { appId }),
    ...(platform && { platform }),
    ...(stage && { stage }),
    ...(converted && { converted: converted === 'true' }),
    ...(person && { externalUserId: person }),
  };
  const list = api.useInfiniteQuery('get', '/sessions', { params: { query } }, PAGED);
  const columns = useColumns(baseCurrency);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <SearchField
          value={person}
          label={t('person')}
          onChange={(text, step) => change({ person: text }, step)}
        />
        <Select
          aria-label={t('reachedStage')}
          placeholder={t('anyStage')}
          clearable
          w={{ base: 'calc(50% - 5px)', xs: 200 }}
          data={listOrganizationSessionsOfApps_stage.map((value) => ({ value, label: t(value) }))}
          value={stage ?? null}
          onChange={(value) => change({ stage: value ?? '' })}
        />
        <Select
          aria-label={t('converted')}
          placeholder={t('convertedOrNot')}
          clearable
          w={{ base: 'calc(50% - 5px)', xs: 200 }}
          data={ANSWERS.map((value) => ({ value, label: t(`converted_${value}`) }))}
          value={converted || null}
          onChange={(value) => change({ converted: value ?? '' })}
        />
      </Group>
      <Shown part={t('sessions')} of={list}>
        {() => (
          <DataTable
            label={t('sessions')}
            list={list}
            columns={columns}
            rowKey={({ sessionId }) => sessionId}
            empty={<Empty icon={IconRoute} title={t('noSessions')} text={t('noSessionsText')} />}
          />
        )}
      </Shown>
    </Stack>
  );
}

function useColumns(baseCurrency: string): Column<Session>[] {
  const t = useTexts(journeyTexts);
  return useMemo<Column<Session>[]>(
    () => [
      {
        key: 'started',
        title: t('started'),
        cell: ({ sessionId, startedAt }) => (
          <RouteLink
            to="/journeys/$sessionId"
            params={{ sessionId }}
            size="sm"
            style={{ whiteSpace: 'nowrap' }}
          >
            {formatDateTime(startedAt)}
          </RouteLink>
        ),
        width: 190,
      },
      {
        key: 'person',
        title: t('person'),
        folds: true,
        cell: ({ externalUserId }) => (
          <Text size="sm" truncate maw={180} title={externalUserId ?? undefined}>
            {externalUserId ?? t('anonymous')}
          </Text>
        ),
      },
      {
        key: 'source',
        title: t('from'),
        folds: true,
        cell: (session) => <SourceLink session={session} />,
      },
      { key: 'app', title: t('app'), from: 'lg', cell: ({ appName }) => appName ?? '–' },
      {
        key: 'platform',
        title: t('platform'),
        from: 'sm',
        cell: ({ firstPlatform, platform }) => <PlatformName of={platform} from={firstPlatform} />,
      },
      {
        key: 'stage',
        title: t('lastStage'),
        cell: ({ currentStage, converted }) =>
          currentStage && (
            <Badge color={converted ? 'teal.9' : 'gray.7'} style={{ flexShrink: 0 }}>
              {t(currentStage)}
            </Badge>
          ),
      },
      {
        key: 'events',
        title: t('events'),
        from: 'md',
        align: 'right',
        cell: ({ events }) => formatNumber(events),
        width: 90,
      },
      {
        key: 'goals',
        title: t('goals'),
        from: 'md',
        align: 'right',
        cell: ({ goals }) => formatNumber(goals),
        width: 90,
      },
      {
        key: 'revenue',
        title: t('revenue'),
        from: 'md',
        align: 'right',
        cell: ({ revenue }) => (revenue === null ? '–' : formatMoney(revenue, baseCurrency)),
        width: 110,
      },
    ],
    [t, baseCurrency],
  );
}
