import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { fieldProblems, isApiError, isPassing, namedProblem } from '../api/errors';
import { queries } from '../api/client';
import { afterConflicts, fromStates, knownStates, type States } from '../api/states';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import type { ConflictField } from './edit-conflict';
import classes from './form.module.css';
import { focusFirstError } from './focus';
import { TOO_LONG } from './limited';
import { errorText } from './toasts';
import { forget, useTyped } from './typed';

const EditConflict = lazy(() =>
  import('./edit-conflict').then((module) => ({ default: module.EditConflict })),
);

/** A form that shows the API's errors at their fields. */
export interface ApiForm<Values> {
  readonly form: UseFormReturnType<Values>;
  /** Identifies the form for `useTyped`. */
  readonly typed: object;
  readonly busy: boolean;
  /** The API's error, if it belongs to no field of the form. */
  readonly problem: string | null;
  /** Whether the service could not be reached; the input is kept. */
  readonly away: boolean;
  /** Changes that others have saved since the form was opened. */
  readonly conflict: readonly ConflictField[] | null;
  submit(): void;
  /** Saves the input over the changes of others. */
  keep(): void;
  /** Replaces the input by what is stored. */
  take(): void;
}

interface Options<Values, Result> {
  initialValues: Values;
  /** Calls the API; throws its error. */
  send: (values: Values) => Promise<Result>;
  done: (result: Result) => void;
  /** Form values from stored fields, for those whose names or values differ from the API's. */
  valuesOf?: (stored: Record<string, unknown>) => Partial<Values>;
}

export function useApiForm<Values extends object, Result>({
  initialValues,
  send,
  done,
  valuesOf,
}: Options<Values, Result>): ApiForm<Values> {
  const form = useForm<Values>({ initialValues });
  const [state, setState] = useState<State>(IDLE);
  const [states, setStates] = useState(knownStates);
  const [typed] = useState({});
  const given = JSON.stringify(initialValues);
  const shown = useRef(given);
  const isClean = !state.busy && !form.isDirty();
  // Reloaded values never replace unsaved input.
  useEffect(() => {
    if (!isClean || shown.current === given) return;
    shown.current = given;
    form.setInitialValues(initialValues);
    form.setValues(initialValues);
    setStates(knownStates());
  }, [form, given, initialValues, isClean]);
  const submitFrom = (seen: States) => (values: Values) => {
    setState(({ conflict }) => ({ ...IDLE, busy: true, conflict: seen === states ? null : conflict }));
    fromStates(seen, () => send(values))
      .then((result) => {
        setState(IDLE);
        setStates(knownStates());
        void queries.invalidateQueries();
        form.resetDirty();
        forget(typed);
        done(result);
      })
      .catch((error: unknown) => {
        if (isApiError(error) && error.code === 'EDIT_CONFLICT') {
          const [stored, details] = [error.stored ?? {}, error.details ?? []];
          const conflict = changedSince(stored, details);
          const now = afterConflicts(seen);
          const isSeen = valuesOf !== undefined || details.every(({ field }) => field in values);
          // The conflict is about fields that the form does not have.
          if (conflict.length === 0 && isSeen && now !== seen) submitFrom(now)(values);
          else setState({ ...IDLE, conflict: conflict.length > 0 ? conflict : details, stored });
          return;
        }
        const problem = placeErrors(form, error);
        setState({ ...IDLE, problem, away: isPassing(error) });
      });
  };
  const submit = form.onSubmit(submitFrom(states));
  const keep = form.onSubmit((values) => submitFrom(afterConflicts(states))(values));
  /** Fields of the form that others have changed since it was opened, to values other than the input. */
  const changedSince = (stored: Record<string, unknown>, details: readonly ConflictField[]) => {
    const mapped: Record<string, unknown> = valuesOf ? { ...valuesOf(stored) } : {};
    const before = Object.entries(form.getInitialValues());
    const values = new Map<string, unknown>(Object.entries(form.getValues()));
    return before.flatMap(([field, value]): ConflictField[] => {
      const isKnown = field in mapped || details.some((detail) => detail.field === field);
      const now = field in mapped ? mapped[field] : stored[field];
      const sent = values.get(field);
      return isKnown && !isSame(value, now) && !isSame(sent, now) ? [{ field, sent, stored: now }] : [];
    });
  };
  const take = () => {
    const mapped: Record<string, unknown> = valuesOf ? { ...valuesOf(state.stored) } : {};
    const values: object = form.getValues();
    for (const { field } of state.conflict ?? []) {
      const value = field in mapped ? mapped[field] : (state.stored[field] ?? '');
      if (field in values) form.setFieldValue(field, value as never);
    }
    setStates(afterConflicts(states));
    setState(IDLE);
  };
  return { form, typed, ...state, submit, keep, take };
}

/** Treats an empty field as null. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? '') === JSON.stringify(other ?? '');
}

interface State {
  busy: boolean;
  problem: string | null;
  away: boolean;
  conflict: readonly ConflictField[] | null;
  stored: Record<string, unknown>;
}

const IDLE: State = { busy: false, problem: null, away: false, conflict: null, stored: {} };

/** Sets errors at their fields. @returns errors of fields that the form does not have */
function placeErrors<Values extends object>(form: UseFormReturnType<Values>, error: unknown): string | null {
  const details = isApiError(error) ? (error.details ?? []) : [];
  if (details.length === 0) return errorText(error);
  const problems = fieldProblems(error);
  const values: object = form.getValues();
  const rest: string[] = [];
  for (const [index, { field, message }] of problems.entries()) {
    const path = field.replaceAll(/\[(\d+)\]/g, '.$1');
    if ((path.split('.')[0] ?? '') in values) form.setFieldError(path, message);
    else rest.push(namedProblem(details[index] ?? { field, message }));
  }
  return rest.length > 0 ? rest.join('; ') : null;
}

/** The result of a call of the typed client. @throws the API's error */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw (error ?? new Error(response.statusText)) as Error;
  return data as T;
}

/**
 * Form with its fields, general errors and submit button.
 * @param kept whether leaving asks before unsaved input is lost
 */
export function FormFrame<Values>({
  of,
  label,
  kept = true,
  children,
  extra,
}: {
  of: ApiForm<Values>;
  label: string;
  kept?: boolean;
  children: ReactNode;
  extra?: ReactNode;
}) {
  const t = useTexts(common);
  useTyped(of.typed, kept && of.form.isDirty());
  const frame = useRef<HTMLFormElement>(null);
  const said = useRef<HTMLDivElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const ended = wasBusy.current && !of.busy;
    wasBusy.current = of.busy;
    if (!ended || !frame.current) return;
    if (Object.keys(of.form.errors).length > 0) focusFirstError(frame.current);
    else said.current?.focus();
  }, [of.busy, of.form.errors]);
  return (
    <form
      ref={frame}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Enter is handled by a part of the form, such as the value of a condition.
        if (document.activeElement?.closest('[data-enter-stays]')) return;
        const tooLong = event.currentTarget.querySelector<HTMLElement>(`[${TOO_LONG}]`);
        if (tooLong) focusFirstError(event.currentTarget);
        else of.submit();
      }}
    >
      <Stack>
        {children}
        {of.conflict !== null && (
          <Suspense>
            <EditConflict
              fields={of.conflict}
              busy={of.busy}
              onKeep={() => of.keep()}
              onTake={() => of.take()}
            />
          </Suspense>
        )}
        {of.problem !== null && (
          <Alert color={of.away ? 'orange' : 'red'} role="alert" ref={said} tabIndex={-1}>
            {of.problem}
          </Alert>
        )}
        <Group justify="flex-end" className={classes.buttons}>
          {extra}
          <Button type="submit" loading={of.busy}>
            {of.away ? t('tryAgain') : label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
