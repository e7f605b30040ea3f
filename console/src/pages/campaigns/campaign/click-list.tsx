import { useMemo } from 'react';
import { api, client } from '../../../api/client';
import type { Column } from '../../../kit/data-table';
import { useTexts } from '../../../texts/texts';
import { useClickColumns } from '../../link/clicks/click-columns';
import { BY_CURSOR, type Click, ClickLog, useClickQuery } from '../../link/clicks/click-log';
import type { Campaign } from '../campaign';
import { campaignPageTexts } from './texts';

/** Individual clicks of a campaign, newest first, with channel and customer. */
export function ClickList({ campaign: { id } }: { campaign: Campaign }) {
  const t = useTexts(campaignPageTexts);
  const query = useClickQuery();
  const clicks = api.useInfiniteQuery(
    'get',
    '/campaigns/{id}/clicks',
    { params: { path: { id }, query } },
    BY_CURSOR,
  );
  const common = useClickColumns();
  const columns = useMemo<Column<Click>[]>(
    () => [
      ...common.slice(0, 1),
      { key: 'channel', title: t('channel'), cell: ({ tracker }) => tracker ?? '–' },
      { key: 'customer', title: t('customer'), from: 'sm', cell: ({ customId }) => customId ?? '–' },
      ...common.slice(1),
    ],
    [t, common],
  );
  return (
    <ClickLog
      exported={(filters) =>
        client.GET('/campaigns/{id}/clicks/export', {
          params: { path: { id }, query: filters },
          parseAs: 'blob',
        })
      }
      file={`campaign-${id}-clicks`}
      clicks={clicks}
      columns={columns}
    />
  );
}
