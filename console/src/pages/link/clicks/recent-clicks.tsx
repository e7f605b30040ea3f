import { Badge, Button, Group, Menu, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconDownload, IconPointer } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api, type Schemas } from '../../../api/client';
import { organizationUrl } from '../../../api/session-fetch';
import {
  exportOrganizationShortUrlClicks_format,
  listOrganizationShortUrlClicks_bots,
} from '../../../api/values.gen';
import { type Column, DataTable } from '../../../kit/data-table';
import { Empty } from '../../../kit/empty';
import { Result } from '../../../kit/loading';
import { useView } from '../../../kit/view';
import { countryName, formatDateTime } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import type { Link } from '../../links/link';
import { linkPageTexts } from '../texts';

type Click = Schemas['ClickResponse'];

const VIEW = { bots: 'exclude', startDate: '', endDate: '' };
const PAGE_SIZE = 100;
const BY_CURSOR = {
  pageParamName: 'cursor',
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }: Schemas['ClickListResponse']) => nextCursor ?? undefined,
};

/** The clicks of a link one by one, newest first. */
export function RecentClicks({ link }: { link: Link }) {
  const t = useTexts(linkPageTexts);
  const [view, change] = useView(VIEW);
  const bots = listOrganizationShortUrlClicks_bots.find((each) => each === view.bots) ?? 'exclude';
  const query = {
    bots,
    ...(view.startDate !== '' && { startDate: view.startDate }),
    ...(view.endDate !== '' && { endDate: view.endDate }),
  };
  const clicks = api.useInfiniteQuery(
    'get',
    '/urls/{id}/clicks',
    { params: { path: { id: link.id }, query: { ...query, limit: PAGE_SIZE } } },
    BY_CURSOR,
  );
  const data = useMemo(
    () => clicks.data && { pages: clicks.data.pages.map(({ items }) => ({ content: items })) },
    [clicks.data],
  );
  const columns = useClickColumns();
  const day = (field: 'startDate' | 'endDate') => (
    <TextInput
      type="date"
      label={t(field)}
      value={view[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Group gap="xs" align="flex-end">
          {day('startDate')}
          {day('endDate')}
          <Select
            label={t('bots')}
            w={180}
            allowDeselect={false}
            data={listOrganizationShortUrlClicks_bots.map((value) => ({ value, label: t(value) }))}
            value={bots}
            onChange={(value) => change({ bots: value ?? 'exclude' })}
          />
        </Group>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              rightSection={<IconChevronDown size={14} />}
            >
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {exportOrganizationShortUrlClicks_format.map((format) => (
              <Menu.Item
                key={format}
                component="a"
                download={`clicks-${link.id}.${format}`}
                href={organizationUrl(
                  `/urls/${link.id}/clicks/export?${new URLSearchParams({ ...query, format })}`,
                )}
              >
                {format.toUpperCase()}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Result of={{ ...clicks, data }} lines={8}>
        {() => (
          <DataTable
            label={t('recentClicks')}
            list={{ ...clicks, data }}
            columns={columns}
            rowKey={({ id }) => id}
            empty={<Empty icon={IconPointer} title={t('noClicks')} text={t('noClicksText')} />}
          />
        )}
      </Result>
    </Stack>
  );
}

function useClickColumns(): Column<Click>[] {
  const t = useTexts(linkPageTexts);
  return useMemo(
    () => [
      {
        key: 'time',
        title: t('time'),
        cell: ({ clickedAt, isBot }) => (
          <Group gap={6}>
            <Text size="sm" className="numbers">
              {formatDateTime(clickedAt)}
            </Text>
            {isBot && (
              <Badge size="xs" variant="default" tt="none">
                {t('bot')}
              </Badge>
            )}
          </Group>
        ),
      },
      {
        key: 'country',
        title: t('country'),
        cell: ({ country }) => (country === null ? '–' : countryName(country)),
      },
      {
        key: 'device',
        title: t('device'),
        from: 'sm',
        cell: ({ deviceType, os, browser }) =>
          [deviceType, os, browser].filter((each) => each !== null).join(' · ') || '–',
      },
      { key: 'referrer', title: t('referrer'), from: 'md', cell: ({ referrer }) => referrer ?? t('direct') },
      {
        key: 'utm',
        title: t('utm'),
        from: 'lg',
        cell: ({ utmSource, utmMedium, utmCampaign }) =>
          [utmSource, utmMedium, utmCampaign].filter((each) => each !== null).join(' / ') || '–',
      },
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
    [t],
  );
}
