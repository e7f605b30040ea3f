import { client, queries, type Schemas } from '../../api/client';
import { itemMessage } from '../../api/errors';
import { unwrap } from '../../kit/form';
import { PART } from '../../kit/selection';
import { showDone, showError, showProblem } from '../../kit/toasts';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import { calledOf, type Kind, KINDS, type TrackedLink } from './kinds';
import { linkTexts } from './texts';

export type Change = Omit<Schemas['BulkChangeRequest'], 'ids'>;

/** Failures that are named in the message. */
const NAMED = 3;

interface Options {
  readonly kind: Kind;
  /** The loaded ones; undo is offered only if all are loaded. */
  readonly links: readonly TrackedLink[];
  /** Called after each part with the number of processed links. */
  readonly onPart?: (done: number) => void;
}

/** Changes links or campaigns, shows the result, and offers to undo it. Resolves with the ids that were not changed. */
export async function changeLinks(
  ids: readonly number[],
  change: Change,
  { kind, links, onPart }: Options,
): Promise<number[]> {
  const { done, failures, error } = await apply(kind, [{ ids, change }], onPart);
  const changed = done - failures.length;
  if (failures.length > 0) showProblem(await problemText(kind, failures, ids.length, links));
  if (error !== undefined) {
    showError(error);
    if (done > 0) {
      showProblem(
        textOf(linkTexts, 'stopped', {
          context: kind,
          done: formatNumber(changed),
          all: formatNumber(ids.length),
        }),
      );
    }
  } else if (changed > 0) {
    const inverse = links.length === ids.length ? inverseOf(links, change) : [];
    showDone(
      textOf(linkTexts, change.delete ? 'deleted' : 'changed', {
        context: kind,
        count: changed,
        formatted: formatNumber(changed),
      }),
      inverse.length > 0 ? () => void takeBack(kind, inverse) : undefined,
    );
  }
  return [...failures.map(({ id }) => id), ...ids.slice(done)];
}

async function takeBack(kind: Kind, steps: readonly Step[]): Promise<void> {
  const { error } = await apply(kind, steps);
  if (error !== undefined) showError(error);
}

interface Step {
  readonly ids: readonly number[];
  readonly change: Change;
}

interface Failure {
  readonly id: number;
  readonly reason: string;
}

interface Outcome {
  /** Number of links with a response, including failures. */
  done: number;
  readonly failures: Failure[];
  /** Error of a call that failed as a whole, which ends the change. */
  error?: unknown;
}

/** Sends one call for consecutive steps with the same change. */
async function apply(kind: Kind, steps: readonly Step[], onPart?: (done: number) => void): Promise<Outcome> {
  const outcome: Outcome = { done: 0, failures: [] };
  try {
    for (const { ids, change } of merged(steps)) {
      for (let from = 0; from < ids.length; from += PART) {
        const part = ids.slice(from, from + PART);
        const { results } = await unwrap(
          client.POST(`${KINDS[kind].path}/changes`, { body: { ...change, ids: part } }),
        );
        for (const { id, error } of results) {
          if (error) outcome.failures.push({ id, reason: itemMessage(error.message, error.code) });
        }
        outcome.done += part.length;
        onPart?.(outcome.done);
      }
    }
  } catch (error) {
    outcome.error = error;
  } finally {
    void queries.invalidateQueries();
  }
  return outcome;
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

/** The steps that undo a change. */
function inverseOf(links: readonly TrackedLink[], change: Change): Step[] {
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

async function problemText(
  kind: Kind,
  failures: readonly Failure[],
  all: number,
  links: readonly TrackedLink[],
): Promise<string> {
  const named = await Promise.all(
    failures.slice(0, NAMED).map(async ({ id, reason }) => `${await calledBy(kind, id, links)}: ${reason}`),
  );
  const more = failures.length - named.length;
  if (more > 0) named.push(textOf(linkTexts, 'moreFailed', { formatted: formatNumber(more) }));
  return textOf(linkTexts, 'someFailed', {
    context: kind,
    failed: formatNumber(failures.length),
    all: formatNumber(all),
    reasons: named.join('; '),
  });
}

async function calledBy(kind: Kind, id: number, links: readonly TrackedLink[]): Promise<string> {
  const loaded = links.find((link) => link.id === id);
  const { data } = loaded
    ? { data: loaded }
    : await client.GET(`${KINDS[kind].path}/{id}`, { params: { path: { id } } });
  return data ? calledOf(data) : `#${id}`;
}
