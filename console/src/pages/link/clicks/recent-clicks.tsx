import { api, client } from '../../../api/client';
import type { Link } from '../../links/link';
import { useLinkClickColumns } from './click-columns';
import { BY_CURSOR, ClickLog, useClickQuery } from './click-log';

/** Individual clicks of a link, newest first. */
export function RecentClicks({ link: { id } }: { link: Link }) {
  const query = useClickQuery();
  const clicks = api.useInfiniteQuery(
    'get',
    '/urls/{id}/clicks',
    { params: { path: { id }, query } },
    BY_CURSOR,
  );
  const columns = useLinkClickColumns();
  return (
    <ClickLog
      exported={(filters) =>
        client.GET('/urls/{id}/clicks/export', {
          params: { path: { id }, query: filters },
          parseAs: 'blob',
        })
      }
      file={`clicks-${id}`}
      clicks={clicks}
      columns={columns}
    />
  );
}
