import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export interface ViewStep {
  /** Whether the change replaces the history entry, such as the next letter of a search. */
  readonly replace?: boolean;
  /** The panel that the change opens. */
  readonly panel?: string;
}

/** Checks of query parameters; a value that fails counts as the default. */
type Allowed<Key extends string> = Readonly<Partial<Record<Key, (value: string) => boolean>>>;

type ChangeView<Key extends string> = (changes: Partial<Record<Key, string>>, step?: ViewStep) => void;

/**
 * State of a page in its URL, so that it can be shared and survives a reload: filters, tab, range. Values equal to
 * their default are omitted. "Back" undoes a change.
 * @param defaults a constant outside of the component
 * @param allowed checks of parts that do not accept any text
 */
export function useView<Key extends string>(
  defaults: Record<Key, string>,
  allowed?: Allowed<Key>,
): [Record<Key, string>, ChangeView<Key>] {
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const view = { ...defaults };
  for (const key of Object.keys(defaults) as Key[]) {
    const given = search[key];
    const allows: ((value: string) => boolean) | undefined = allowed?.[key];
    if (given !== undefined && allows?.(given) !== false) view[key] = given;
  }
  const change = useCallback(
    (changes: Partial<Record<Key, string>>, { replace = false, panel }: ViewStep = {}) => {
      void navigate({
        to: '.',
        replace,
        resetScroll: false,
        ...(panel !== undefined && { state: { panel }, ignoreBlocker: true }),
        search: (before) => {
          const after: Record<string, string | undefined> = { ...before };
          for (const [key, value] of Object.entries<string | undefined>(changes)) {
            after[key] = value === defaults[key as Key] ? undefined : value;
          }
          return after;
        },
      });
    },
    [navigate, defaults],
  );
  return [view, change];
}

export function oneOf(...values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value);
}

export const isBoolean = oneOf('true', 'false');

/** Check for `field,asc` or `field,desc`, the API's format. */
export function sortedBy(...fields: readonly string[]): (value: string) => boolean {
  return (value) => fields.includes(/^([a-z]+)(?:,(?:asc|desc))?$/i.exec(value)?.[1] ?? '');
}

export function isId(value: string): boolean {
  return /^[1-9]\d{0,14}$/.test(value);
}
