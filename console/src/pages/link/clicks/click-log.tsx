import { Button, Group, Menu, Select, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconDownload, IconPointer } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api, type Schemas } from '../../../api/client';
import {
  exportOrganizationShortUrlClicks_format,
  listOrganizationShortUrlClicks_bots,
} from '../../../api/values.gen';
import { type Column, DataTable } from '../../../kit/data-table';
import { type FileCall, useDownload } from '../../../kit/download';
import { Empty } from '../../../kit/empty';
import { FilterDay } from '../../../kit/filters';
import { Result } from '../../../kit/loading';
import { isDay } from '../../../kit/local-time';
import { useView } from '../../../kit/view';
import { common } from '../../../texts/common';
import { useTexts } from '../../../texts/texts';
import { linkPageTexts } from '../texts';

export type Click = Schemas['ClickResponse'];

const VIEW = { bots: 'exclude', startDate: '', endDate: '' };
const ALLOWED = { startDate: isDay, endDate: isDay };
const PAGE_SIZE = 100;

/** Options of `api.useInfiniteQuery` for lists of clicks. */
export const BY_CURSOR = {
  pageParamName: 'cursor',
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }: Schemas['ClickListResponse']) => nextCursor ?? undefined,
};

/** The state in the URL as query parameters of the API. */
export function useClickQuery() {
  return { ...useFilters(), limit: PAGE_SIZE };
}

/** The organization's time zone, in which clicks are filtered and shown. */
export function useTimeZone(): { timeZone: string } {
  return api.useSuspenseQuery('get', '/').data;
}

function useFilters() {
  const { timeZone } = useTimeZone();
  const [{ bots, startDate, endDate }] = useView(VIEW, ALLOWED);
  return {
    timeZone,
    bots: listOrganizationShortUrlClicks_bots.find((each) => each === bots) ?? ('exclude' as const),
    ...(startDate !== '' && { startDate }),
    ...(endDate !== '' && { endDate }),
  };
}

type ExportQuery = ReturnType<typeof useFilters> & {
  format: (typeof exportOrganizationShortUrlClicks_format)[number];
};

interface Props {
  /** Requests the export of the clicks. */
  exported: (query: ExportQuery) => ReturnType<FileCall>;
  /** Name of the file, without extension. */
  file: string;
  clicks: {
    readonly data: { readonly pages: readonly Schemas['ClickListResponse'][] } | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  columns: readonly Column<Click>[];
}

/** Individual clicks, newest first, with filters and export. */
export function ClickLog({ exported, file, clicks, columns }: Props) {
  const t = useTexts(linkPageTexts);
  const c = useTexts(common);
  const [view, change] = useView(VIEW, ALLOWED);
  const filters = useFilters();
  const { busy, download } = useDownload();
  const data = useMemo(
    () => clicks.data && { pages: clicks.data.pages.map(({ items }) => ({ content: items })) },
    [clicks.data],
  );
  const day = (field: 'startDate' | 'endDate') => (
    <FilterDay label={t(field)} value={view[field]} onChange={(value) => change({ [field]: value })} />
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
            value={filters.bots}
            onChange={(value) => change({ bots: value ?? 'exclude' })}
          />
          <Text size="xs" c="dimmed" pb={8}>
            {t('timesIn', { timeZone: filters.timeZone })}
          </Text>
        </Group>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              loading={busy}
              leftSection={<IconDownload size={16} />}
              rightSection={<IconChevronDown size={14} />}
            >
              {c('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {exportOrganizationShortUrlClicks_format.map((format) => (
              <Menu.Item
                key={format}
                onClick={() =>
                  download(
                    `${[file, view.startDate, view.endDate, filters.bots === 'exclude' ? '' : `bots=${filters.bots}`].filter(Boolean).join(' ')}.${format}`,
                    () => exported({ ...filters, format }),
                  )
                }
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
