import { Alert, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import { isApiError } from '../../../api/errors';
import { Figure } from '../../../kit/figure';
import { otherCurrencies } from '../../../kit/other-currencies';
import { Result } from '../../../kit/loading';
import { FileDetails, fileDetails } from '../../../plots/file-details';
import { TimeSeries } from '../../../plots/time-series';
import { useAnalyticsView } from '../../../plots/use-analytics-view';
import { formatMoney, formatNumber, formatPercent } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { Card } from '../../link/card';
import type { Campaign } from '../campaign';
import { RangeSelect } from './range-select';
import { campaignPageTexts } from './texts';

/** Purchases of people who clicked, for users who may see revenue. */
export function Revenue({ campaign: { id } }: { campaign: Campaign }) {
  const t = useTexts(campaignPageTexts);
  const view = useAnalyticsView();
  const days = { startDate: view.days.from, endDate: view.days.to };
  const options = { placeholderData: keepPreviousData };
  const revenue = api.useQuery(
    'get',
    '/analytics/revenue',
    { params: { query: { ...days, campaignId: id } } },
    options,
  );
  const clicks = api.useQuery(
    'get',
    '/analytics/clicks',
    { params: { query: { ...days, campaign: [String(id)] } } },
    options,
  );
  if (isApiError(revenue.error) && revenue.error.code === 'ADDON_REQUIRED') {
    return <Alert>{t('revenueMissing')}</Alert>;
  }
  return (
    <FileDetails value={fileDetails(view.days)}>
      <Stack gap="md">
        <RangeSelect view={view} />
        <Result of={revenue}>
          {(figures) => (
            <Figures
              of={figures}
              clicks={clicks.isPlaceholderData ? undefined : clicks.data?.total}
              view={view}
            />
          )}
        </Result>
      </Stack>
    </FileDetails>
  );
}

interface FiguresProps {
  of: Schemas['RevenueResponse'];
  /** undefined while loading */
  clicks: number | undefined;
  view: ReturnType<typeof useAnalyticsView>;
}

function Figures({ of, clicks, view }: FiguresProps) {
  const t = useTexts(campaignPageTexts);
  const { data, currency, timeZone } = of;
  const { totalRevenue, averageOrderValue } = data;
  const purchaseCount = data.dailyRevenue.reduce((sum, { purchases }) => sum + purchases, 0);
  const others = otherCurrencies(data.revenueByGoalType, currency);
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure
          label={t('revenue')}
          value={formatMoney(totalRevenue, currency)}
          note={others && t('alsoRevenue', { amounts: others })}
        />
        <Figure label={t('purchases')} value={purchaseCount} />
        <Figure
          label={t('conversion')}
          value={clicks === undefined ? '–' : formatPercent(clicks > 0 ? purchaseCount / clicks : 0)}
        />
        <Figure label={t('averageOrder')} value={formatMoney(averageOrderValue, currency)} />
      </SimpleGrid>
      <TimeSeries
        title={t('revenueOverTime', { currency })}
        interval="day"
        timeZone={timeZone}
        onRange={view.show}
        measures={[
          {
            name: t('revenue'),
            points: data.dailyRevenue.map(({ date, revenue }) => ({ start: date, value: revenue })),
          },
        ]}
      />
      {data.revenueByGoalType.length > 0 && (
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
                {data.revenueByGoalType.map((goal) => (
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
