import { client, queries, type Schemas } from '../../api/client';
import { itemMessage } from '../../api/errors';
import { unwrap } from '../../kit/form';
import { showDone, showError, showProblem } from '../../kit/toasts';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import type { Link } from './link';
import { linkTexts } from './texts';

export type Change = Omit<Schemas['ChangeLinksRequest'], 'ids'>;

/** The most links of one call. */
const BATCH = 1000;

/** Changes links, says what came of it, and offers to take it back. Resolves with whether all of them changed. */
export async function changeLinks(links: readonly Link[], change: Change): Promise<boolean> {
  const failures = await apply(links.map(({ id }) => ({ ids: [id], change })));
  if (failures === null) return false;
  const done = links.length - failures.length;
  if (failures.length > 0) showProblem(problemText(failures, links.length));
  if (done > 0) {
    const inverse = inverseOf(links, change);
    showDone(
      textOf(linkTexts, change.delete ? 'deleted' : 'changed', {
        count: done,
        formatted: formatNumber(done),
      }),
      inverse.length > 0 ? () => void apply(inverse) : undefined,
    );
  }
  return failures.length === 0;
}

interface Step {
  readonly ids: readonly number[];
  readonly change: Change;
}

/** Messages of the links that failed; null if a call did. Steps with the same change become one call. */
async function apply(steps: readonly Step[]): Promise<string[] | null> {
  const failures: string[] = [];
  try {
    for (const { ids, change } of merged(steps)) {
      for (let from = 0; from < ids.length; from += BATCH) {
        const body = { ...change, ids: ids.slice(from, from + BATCH) };
        const { results } = await unwrap(client.POST('/urls/changes', { body }));
        failures.push(
          ...results.flatMap(({ error }) => (error ? [itemMessage(error.message, error.code)] : [])),
        );
      }
    }
    return failures;
  } catch (error) {
    showError(error);
    return null;
  } finally {
    void queries.invalidateQueries();
  }
}

function merged(steps: readonly Step[]): Step[] {
  const byChange = new Map<string, { ids: number[]; change: Change }>();
  for (const { ids, change } of steps) {
    const key = JSON.stringify(change);
    const step = byChange.get(key) ?? { ids: [], change };
    step.ids.push(...ids);
    byChange.set(key, step);
  }
  return [...byChange.values()];
}

/** What takes a change back: only for links that it changed. */
function inverseOf(links: readonly Link[], change: Change): Step[] {
  if (change.delete) return [];
  return links.flatMap(({ id, enabled, archived, tags }): Step[] => {
    const had = (tag: string) => tags.some((each) => each.toLowerCase() === tag.toLowerCase());
    const added = (change.addTags ?? []).filter((tag) => !had(tag));
    const removed = tags.filter((tag) =>
      change.removeTags?.some((each) => each.toLowerCase() === tag.toLowerCase()),
    );
    const inverse: Change = {
      ...(typeof change.enabled === 'boolean' && change.enabled !== enabled && { enabled }),
      ...(typeof change.archived === 'boolean' && change.archived !== archived && { archived }),
      ...(added.length > 0 && { removeTags: added }),
      ...(removed.length > 0 && { addTags: removed }),
    };
    return Object.keys(inverse).length > 0 ? [{ ids: [id], change: inverse }] : [];
  });
}

function problemText(failures: readonly string[], all: number): string {
  const reasons = [...new Set(failures)].slice(0, 3).join('; ');
  return textOf(linkTexts, 'someFailed', {
    failed: formatNumber(failures.length),
    all: formatNumber(all),
    reasons,
  });
}
