import { useDebouncedValue } from '@mantine/hooks';
import { api } from '../../api/client';
import { fieldProblems } from '../../api/errors';
import { conditionGroupsOf, type DraftGroup, isComplete } from './condition';
import type { Properties } from './use-properties';

const SETTLED_MS = 400;

export interface Count {
  readonly state: 'incomplete' | 'counting' | 'counted' | 'refused';
  /** Null if counting takes too long. */
  readonly count: number | null;
  /** The API's errors, by path within the groups, such as `0.conditions.1.propValue`. */
  readonly problems: Readonly<Record<string, string>>;
}

/** The number of contacts that meet the conditions, updated as they change. */
export function useCount(groups: readonly DraftGroup[], { typeOf }: Properties): Count {
  const complete = groups.every(({ conditions }) => conditions.every(isComplete));
  const [body] = useDebouncedValue(JSON.stringify(conditionGroupsOf(groups, typeOf)), SETTLED_MS);
  const settled = body === JSON.stringify(conditionGroupsOf(groups, typeOf));
  const conditionGroups = JSON.parse(body) as ReturnType<typeof conditionGroupsOf>;
  const query = api.useQuery(
    'post',
    '/segments/count',
    { body: { conditionGroups } },
    { enabled: complete && settled },
  );
  if (!complete) return { state: 'incomplete', count: null, problems: {} };
  if (!settled || query.isFetching) return { state: 'counting', count: null, problems: {} };
  if (query.error) return { state: 'refused', count: null, problems: problemsOf(query.error) };
  return { state: 'counted', count: query.data?.count ?? null, problems: {} };
}

function problemsOf(error: unknown): Record<string, string> {
  return Object.fromEntries(
    fieldProblems(error).map(({ field, message }) => [
      field.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^conditionGroups\./, ''),
      message,
    ]),
  );
}
