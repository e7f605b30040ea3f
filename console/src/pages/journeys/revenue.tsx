import { Paper, SegmentedControl, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { Figure } from '../../kit/figure';
import { otherCurrencies } from '../../kit/other-currencies';
import { BreakdownBars } from '../../plots/breakdown-bars';
import { daysName } from '../../plots/names';
import { TimeSeries } from '../../plots/time-series';
import { formatMoney, formatNumber, formatPercent } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Shown } from './shown';
import { resourceOf } from './source';
import { journeyTexts } from './texts';
import { type JourneysView, platformOfWord, platformWord } from './use-journeys-view';

type Revenue = Schemas['RevenueResponse'];
const MEASURES = ['revenue', 'purchases'] as const;

/** Revenue of one app or all apps. */
export function RevenueTab({ view }: { view: JourneysView }) {
  const t = useTexts(journeyTexts);
  const { appId, platform, source, days, range } = view;
  const revenue = api.useQuery(
    'get',
    '/analytics/revenue',
    {
      params: {
        query: {
          ...days,
          ...(appId !== null && { appId }),
          ...(platform && { platform: platformWord(platform) }),
          ...resourceOf(source),
          ...(range.compared && {
            compareStartDate: range.compared.from,
            compareEndDate: range.compared.to,
          }),
        },
      },
    },
    { placeholderData: keepPreviousData },
  );
  return (
    <Shown part={t('revenue')} of={revenue}>
      {(figures) => (
        <Stack gap="md">
          <Figures revenue={figures} />
          <ByDay view={view} revenue={figures} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <ByPlatform view={view} revenue={figures} />
            <ByGoal revenue={figures} />
          </SimpleGrid>
        </Stack>
      )}
    </Shown>
  );
}

function Figures({ revenue: { data, comparison, currency } }: { revenue: Revenue }) {
  const t = useTexts(journeyTexts);
  const money = (value: number) => formatMoney(value, currency);
  const others = otherCurrencies(data.revenueByGoalType, currency);
  const figures = [
    ['revenue', 'totalRevenue', money],
    ['purchaseSessions', 'purchaseSessions', formatNumber],
    ['averageOrder', 'averageOrderValue', money],
    ['perSession', 'revenuePerSession', money],
    ['cartValue', 'cartValue', money],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, md: 3 }}>
      {figures.map(([label, field, format]) => (
        <Figure
          key={field}
          label={t(label)}
          value={data[field]}
          before={comparison?.[field]}
          beforeLabel={t('before')}
          format={format}
          note={field === 'totalRevenue' && others ? t('alsoRevenue', { amounts: others }) : undefined}
        />
      ))}
      <Figure
        label={t('purchaseRate')}
        value={data.purchaseConversionRate / 100}
        before={comparison && comparison.purchaseConversionRate / 100}
        beforeLabel={t('before')}
        format={formatPercent}
      />
    </SimpleGrid>
  );
}

function ByDay({ view, revenue }: { view: JourneysView; revenue: Revenue }) {
  const t = useTexts(journeyTexts);
  const [measure, setMeasure] = useState<(typeof MEASURES)[number]>('revenue');
  const { data, comparison, currency, startDate, endDate, timeZone } = revenue;
  const pointsOf = (days: Schemas['DailyRevenue'][]) =>
    days.map(({ date, ...values }) => ({ start: date, value: values[measure] }));
  return (
    <TimeSeries
      title={measure === 'revenue' ? t('revenueByDay', { currency }) : t('purchasesByDay')}
      subtitle={daysName({ from: startDate, to: endDate })}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('measure')}
          data={MEASURES.map((each) => ({ value: each, label: t(each) }))}
          value={measure}
          onChange={setMeasure}
        />
      }
      interval="day"
      timeZone={timeZone}
      measures={[
        {
          name: t(measure),
          points: pointsOf(data.dailyRevenue),
          compared: comparison && pointsOf(comparison.dailyRevenue),
        },
      ]}
      onRange={view.range.show}
    />
  );
}

function ByPlatform({ view, revenue }: { view: JourneysView; revenue: Revenue }) {
  const t = useTexts(journeyTexts);
  const { chosen, change } = view;
  const { data, comparison, currency } = revenue;
  const changeOf = (platform: string, value: number): number | null => {
    const before = comparison?.revenueByPlatform.find((each) => each.platform === platform)?.revenue ?? 0;
    return before > 0 ? Math.round(((value - before) / before) * 100) : null;
  };
  return (
    <BreakdownBars
      title={t('revenueByPlatform', { currency })}
      label={t('platform')}
      bars={data.revenueByPlatform.map(({ platform, revenue: value, purchases, sessions }) => {
        const known = platformOfWord(platform);
        return {
          key: known ?? platform,
          name: known ? t(known) : platform,
          detail: t('purchasesOf', {
            purchases: formatNumber(purchases),
            sessions: formatNumber(sessions),
          }),
          value,
          share: data.totalRevenue > 0 ? value / data.totalRevenue : 0,
          change: comparison ? changeOf(platform, value) : undefined,
        };
      })}
      active={new Set(chosen.platform ? [chosen.platform] : [])}
      onPick={(platform) => change({ platform: platform === chosen.platform ? '' : platform })}
    />
  );
}

function ByGoal({ revenue: { data } }: { revenue: Revenue }) {
  const t = useTexts(journeyTexts);
  return (
    <Paper withBorder p="md" miw={0} component="section" aria-label={t('revenueByGoal')}>
      <Title order={2} size="h5" mb="sm">
        {t('revenueByGoal')}
      </Title>
      {data.revenueByGoalType.length === 0 ? (
        <Text c="dimmed" ta="center" py="xl">
          {t('noGoals')}
        </Text>
      ) : (
        <Table.ScrollContainer
          minWidth={280}
          mah={396}
          tabIndex={0}
          aria-label={t('goalTable')}
          role="region"
        >
          <Table className="numbers">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('goalType')}</Table.Th>
                <Table.Th ta="right">{t('goals')}</Table.Th>
                <Table.Th ta="right">{t('value')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.revenueByGoalType.map(({ goalType, currency, count, revenue }) => (
                <Table.Tr key={`${goalType} ${currency}`}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{goalType}</Table.Td>
                  <Table.Td ta="right">{formatNumber(count)}</Table.Td>
                  <Table.Td ta="right">{formatMoney(revenue, currency)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
