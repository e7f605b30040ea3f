import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { Figure } from '../../kit/figure';
import { BreakdownBars } from '../../plots/breakdown-bars';
import { FunnelBars } from '../../plots/funnel-bars';
import { daysName } from '../../plots/names';
import { formatMoney, formatPercent } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Shown } from './shown';
import { stageName } from './stages';
import { journeyTexts } from './texts';
import { TopConversions } from './top-conversions';
import { type JourneysView, platformOfWord, platformWord } from './use-journeys-view';

type Conversions = Schemas['ConversionsResponse'];

/** Funnel and goals of one app or all apps. */
export function ConversionsTab({ view }: { view: JourneysView }) {
  const t = useTexts(journeyTexts);
  const { compared } = view.range;
  const conversions = useConversions(view, view.days, true);
  const before = useConversions(
    view,
    compared ? { startDate: compared.from, endDate: compared.to } : view.days,
    compared !== null,
  );
  return (
    <Shown part={t('conversions')} of={conversions}>
      {(figures) => (
        <Figures
          view={view}
          figures={figures}
          before={compared && !before.isPlaceholderData ? before.data : undefined}
        />
      )}
    </Shown>
  );
}

function useConversions(view: JourneysView, days: JourneysView['days'], wanted: boolean) {
  const { appId, platform, source } = view;
  return api.useQuery(
    'get',
    '/analytics/conversions',
    {
      params: {
        query: {
          ...days,
          ...(appId !== null && { appId }),
          ...(platform && { platform: platformWord(platform) }),
          ...(source &&
            (source.id === undefined || source.type === 'direct'
              ? { sessionType: source.type }
              : { resourceType: source.type, resourceId: source.id })),
        },
      },
    },
    { enabled: wanted, placeholderData: keepPreviousData },
  );
}

interface Props {
  view: JourneysView;
  figures: Conversions;
  before: Conversions | undefined;
}

function Figures({ view, figures, before }: Props) {
  const t = useTexts(journeyTexts);
  const { sessionStats, funnelStats, goalTypeBreakdown, platformDistribution, currency } = figures;
  const was = before?.sessionStats;
  const range = daysName({ from: figures.startDate, to: figures.endDate });
  const beforeLabel = t('before');
  const { chosen, change } = view;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure
          label={t('sessions')}
          value={sessionStats.totalSessions}
          before={was?.totalSessions}
          beforeLabel={beforeLabel}
        />
        <Figure
          label={t('convertedSessions')}
          value={sessionStats.convertedSessions}
          before={was?.convertedSessions}
          beforeLabel={beforeLabel}
        />
        <Figure
          label={t('conversionRate')}
          value={rateOf(sessionStats)}
          before={was && rateOf(was)}
          beforeLabel={beforeLabel}
          format={formatPercent}
        />
        <Figure
          label={t('goals')}
          value={goalsOf(figures)}
          before={before && goalsOf(before)}
          beforeLabel={beforeLabel}
        />
      </SimpleGrid>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <FunnelBars
            title={t('funnel')}
            subtitle={range}
            stages={funnelStats.stages.map(({ stageCode, stageName: shown, sessionsReached }) => ({
              name: stageName(stageCode, shown, t),
              count: sessionsReached,
            }))}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="md">
            <BreakdownBars
              title={t('goalTypes')}
              subtitle={t('goalTypesHint')}
              label={t('goalType')}
              bars={goalTypeBreakdown.map(({ goalType, count, value, percentage }) => ({
                key: goalType,
                name: goalType,
                detail: value === null || value === 0 ? undefined : formatMoney(value, currency),
                value: count,
                share: percentage / 100,
              }))}
              active={new Set(chosen.goal ? [chosen.goal] : [])}
              onPick={(goal) => change({ goal: goal === chosen.goal ? '' : goal })}
            />
            <BreakdownBars
              title={t('platforms')}
              subtitle={t('platformsHint')}
              label={t('platform')}
              bars={platformDistribution.map(({ platform, sessions, percentage }) => {
                const known = platformOfWord(platform);
                return {
                  key: known ?? platform,
                  name: known ? t(known) : platform,
                  value: sessions,
                  share: percentage / 100,
                };
              })}
              active={new Set(chosen.platform ? [chosen.platform] : [])}
              onPick={(platform) => change({ platform: platform === chosen.platform ? '' : platform })}
            />
            <TopConversions view={view} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function goalsOf({ goalTypeBreakdown }: Conversions): number {
  return goalTypeBreakdown.reduce((sum, { count }) => sum + count, 0);
}

/** Computed here, because the API's rate has one decimal only. */
function rateOf({ convertedSessions, totalSessions }: Conversions['sessionStats']): number {
  return totalSessions > 0 ? convertedSessions / totalSessions : 0;
}
