import { Badge, Box, Group, Paper, Table, Text, Title, Tooltip } from '@mantine/core';
import { Result } from '../../../kit/loading';
import { OTHER } from '../../../plots/filters';
import { MOST_GROUPS, useClicks } from '../../../plots/statistics/click-query';
import type { ClickAnalytics } from '../../../plots/types';
import { useAnalyticsView } from '../../../plots/use-analytics-view';
import { formatNumber, formatPercent } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { type Kind, type TrackedLink } from '../../links/kinds';
import { linkPageTexts } from '../texts';
import { confidenceInterval } from './interval';

const NONE = '(none)';

/** The variants of a link or campaign: their share of clicks with a confidence interval, compared with their weight. */
export function Variants({ kind, link }: { kind: Kind; link: TrackedLink }) {
  const t = useTexts(linkPageTexts);
  const asked = {
    view: useAnalyticsView(),
    scope: { [kind]: link.id },
    groupBy: 'variant',
    limit: MOST_GROUPS,
  } as const;
  const clicks = useClicks({ ...asked, metric: 'clicks', compare: false });
  const visitors = useClicks({ ...asked, metric: 'visitors', compare: false });
  const figures = {
    ...clicks,
    data: clicks.data && variantsOf(link, clicks.data, visitors.data),
    isPlaceholderData: clicks.isPlaceholderData || visitors.isPlaceholderData,
  };
  if (link.variants.length === 0 && !figures.data?.length) return null;
  return (
    <Paper withBorder p="md" miw={0}>
      <Title order={2} size="h5">
        {t('variants')}
      </Title>
      <Text size="xs" c="dimmed" mb="sm">
        {t('variantsText')}
      </Text>
      <Result of={figures}>
        {(variants) => {
          const clicks = variants.reduce((sum, each) => sum + each.clicks, 0);
          const weights = variants.reduce((sum, each) => sum + (each.weight ?? 0), 0);
          return (
            <Box style={{ overflowX: 'auto' }} role="region" aria-label={t('variants')} tabIndex={0}>
              <Table aria-label={t('variants')} className="numbers" miw={560}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('variant')}</Table.Th>
                    <Table.Th ta="right">{t('clicks')}</Table.Th>
                    <Table.Th ta="right">{t('visitors')}</Table.Th>
                    <Table.Th w="34%">{t('share')}</Table.Th>
                    <Table.Th ta="right">{t('weight')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {variants.map((variant) => (
                    <Table.Tr key={variant.url}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>
                        <Group gap={6}>
                          <Text size="sm">{variant.url.replace(/^https?:\/\//, '')}</Text>
                          {variant.former && (
                            <Badge size="xs" variant="default">
                              {t('former')}
                            </Badge>
                          )}
                        </Group>
                      </Table.Td>
                      <Table.Td ta="right">{formatNumber(variant.clicks)}</Table.Td>
                      <Table.Td ta="right">
                        {variant.visitors === null ? '–' : formatNumber(variant.visitors)}
                      </Table.Td>
                      <Table.Td>
                        <Rate hits={variant.clicks} of={clicks} />
                      </Table.Td>
                      <Table.Td ta="right">
                        {variant.weight === null || weights === 0
                          ? '–'
                          : formatPercent(variant.weight / weights)}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Box>
          );
        }}
      </Result>
    </Paper>
  );
}

/** A rate on a scale from 0 to 100 %, with its interval. */
function Rate({ hits, of }: { hits: number; of: number }) {
  const t = useTexts(linkPageTexts);
  if (of === 0) return '–';
  const [low, high] = confidenceInterval(hits, of);
  const text = t('rate', {
    rate: formatPercent(hits / of),
    low: formatPercent(low),
    high: formatPercent(high),
  });
  return (
    <Tooltip label={t('intervalHint')}>
      <div>
        <Text size="sm">{text}</Text>
        <Box pos="relative" h={10} aria-hidden>
          <Box pos="absolute" top={4} left={0} right={0} h={2} bg="var(--mantine-color-default-border)" />
          <Box
            pos="absolute"
            top={2}
            h={6}
            left={`${low * 100}%`}
            w={`${(high - low) * 100}%`}
            bg="waypost.4"
            style={{ borderRadius: 3 }}
          />
          <Box
            pos="absolute"
            top={0}
            h={10}
            w={3}
            left={`calc(${(hits / of) * 100}% - 1px)`}
            bg="var(--mantine-color-text)"
          />
        </Box>
      </div>
    </Tooltip>
  );
}

interface VariantFigures {
  readonly url: string;
  readonly clicks: number;
  /** null if unknown */
  readonly visitors: number | null;
  /** null for a former variant */
  readonly weight: number | null;
  readonly former: boolean;
}

/** Current variants, and former ones with clicks. */
function variantsOf(
  link: TrackedLink,
  clicks: ClickAnalytics,
  visitors: ClickAnalytics | undefined,
): VariantFigures[] {
  const valueOf = ({ groups }: ClickAnalytics, url: string) =>
    groups.find(({ key }) => key === url)?.value ?? 0;
  const own = link.variants.map(({ url, weight }) => ({ url, weight, former: false }));
  const former = clicks.groups
    .filter(({ key }) => key !== OTHER && key !== NONE && own.every(({ url }) => url !== key))
    .map(({ key }) => ({ url: key, weight: null, former: true }));
  return [...own, ...former].map((variant) => ({
    ...variant,
    clicks: valueOf(clicks, variant.url),
    visitors: visitors ? valueOf(visitors, variant.url) : null,
  }));
}
