import { Alert, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { api, type Schemas } from '../../../api/client';
import { Figure } from '../../../kit/figure';
import { otherCurrencies } from '../../../kit/other-currencies';
import { Result } from '../../../kit/loading';
import { TimeSeries } from '../../../plots/time-series';
import { useAnalyticsView } from '../../../plots/use-analytics-view';
import { formatMoney, formatNumber, formatPercent } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { Card } from '../../link/card';
import type { Campaign } from '../campaign';
import { RangeSelect } from './range-select';
import { campaignPageTexts } from './texts';

/** Purchases of people who clicked, for users who may see revenue. */
export function Revenue({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignPageTexts);
  const view = useAnalyticsView();
  const statistics = api.useQuery('get', '/campaigns/{id}/stats', {
    params: {
      path: { id: campaign.id },
      query: { startDate: view.days.from, endDate: view.days.to },
    },
  });
  return (
    <Stack gap="md">
      <RangeSelect view={view} />
      <Result of={statistics}>
        {({ revenueStats, totalClicks }) =>
          revenueStats ? (
            <Figures of={revenueStats} clicks={totalClicks} view={view} />
          ) : (
            <Alert>{t('revenueMissing')}</Alert>
          )
        }
      </Result>
    </Stack>
  );
}

interface FiguresProps {
  of: Schemas['RevenueStatistics'];
  clicks: number;
  view: ReturnType<typeof useAnalyticsView>;
}

function Figures({ of, clicks, view }: FiguresProps) {
  const t = useTexts(campaignPageTexts);
  const { totalRevenue, currency, purchaseCount, averageOrderValue } = of;
  const others = otherCurrencies(of.revenueByGoalType, currency);
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure
          label={t('revenue')}
          value={formatMoney(totalRevenue, currency)}
          note={others && t('alsoRevenue', { amounts: others })}
        />
        <Figure label={t('purchases')} value={purchaseCount} />
        <Figure label={t('conversion')} value={formatPercent(clicks > 0 ? purchaseCount / clicks : 0)} />
        <Figure label={t('averageOrder')} value={formatMoney(averageOrderValue, currency)} />
      </SimpleGrid>
      <TimeSeries
        title={t('revenueOverTime', { currency })}
        subtitle={t('daysUtc')}
        interval="day"
        timeZone="UTC"
        onRange={view.show}
        measures={[
          {
            name: t('revenue'),
            points: of.dailyRevenue.map(({ date, revenue }) => ({ start: date, value: revenue })),
          },
        ]}
      />
      {of.revenueByGoalType.length > 0 && (
        <Card title={t('goals')}>
          <Table.ScrollContainer minWidth={320} scrollAreaProps={{ tabIndex: 0 }}>
            <Table aria-label={t('goals')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('goal')}</Table.Th>
                  <Table.Th ta="right">{t('count')}</Table.Th>
                  <Table.Th ta="right">{t('revenue')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {of.revenueByGoalType.map((goal) => (
                  <Table.Tr key={`${goal.goalType} ${goal.currency}`} className="numbers">
                    <Table.Td>
                      <Text size="sm">{goal.goalType}</Text>
                    </Table.Td>
                    <Table.Td ta="right">{formatNumber(goal.count)}</Table.Td>
                    <Table.Td ta="right">{formatMoney(goal.revenue, goal.currency)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Card>
      )}
    </>
  );
}
