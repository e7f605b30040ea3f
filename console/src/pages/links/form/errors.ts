import type { FormErrors, UseFormReturnType } from '@mantine/form';
import type { LinkValues } from './values';

/** Errors of fields and of what is in them. */
export function errorsOf(errors: FormErrors, fields: readonly string[]): string[] {
  return Object.keys(errors).filter((path) => fields.includes(path.split('.')[0] ?? ''));
}

/** The error of a field that holds a list, or of its first wrong entry. */
export function errorOf(form: UseFormReturnType<LinkValues>, path: string): FormErrors[string] {
  const found = Object.keys(form.errors).find((key) => key === path || key.startsWith(`${path}.`));
  return found === undefined ? undefined : form.errors[found];
}
