import { Badge, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Column } from '../../../kit/data-table';
import { deviceName } from '../../../plots/names';
import { countryName, formatDateTime } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { linkPageTexts } from '../texts';
import { type Click, useTimeZone } from './click-log';

/** Columns of both links and campaigns. */
export function useClickColumns(): Column<Click>[] {
  const t = useTexts(linkPageTexts);
  const { timeZone } = useTimeZone();
  return useMemo(
    () => [
      {
        key: 'time',
        title: t('time'),
        cell: ({ clickedAt, isBot }) => (
          <Group gap={6}>
            <Text size="sm" className="numbers">
              {formatDateTime(clickedAt, timeZone)}
            </Text>
            {isBot && (
              <Badge size="xs" variant="default">
                {t('bot')}
              </Badge>
            )}
          </Group>
        ),
      },
      {
        key: 'country',
        title: t('country'),
        folds: true,
        cell: ({ country }) => (country === null ? '–' : countryName(country)),
      },
      {
        key: 'device',
        title: t('device'),
        folds: true,
        cell: ({ deviceType, os, browser }) =>
          [deviceType && deviceName(deviceType), os, browser].filter((each) => each !== null).join(' · ') ||
          '–',
      },
      { key: 'referrer', title: t('referrer'), folds: true, cell: ({ referrer }) => referrer ?? t('direct') },
      {
        key: 'utm',
        title: t('utm'),
        from: 'lg',
        cell: ({ utmSource, utmMedium, utmCampaign }) =>
          [utmSource, utmMedium, utmCampaign].filter((each) => each !== null).join(' / ') || '–',
      },
    ],
    [t, timeZone],
  );
}

export function useLinkClickColumns(): Column<Click>[] {
  const t = useTexts(linkPageTexts);
  const columns = useClickColumns();
  return useMemo(
    () => [
      ...columns,
      {
        key: 'variant',
        title: t('variant'),
        from: 'lg',
        cell: ({ variant }) => (
          <Text size="sm" truncate maw={220} title={variant ?? ''}>
            {variant?.replace(/^https?:\/\//, '') ?? '–'}
          </Text>
        ),
      },
    ],
    [t, columns],
  );
}
