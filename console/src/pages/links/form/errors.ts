import type { FormErrors } from '@mantine/form';

/** Errors of fields and of fields within them. */
export function errorsOf(errors: FormErrors, fields: readonly string[]): string[] {
  return Object.keys(errors).filter((path) => fields.includes(path.split('.')[0] ?? ''));
}

/** The error of a list field, or of its first invalid entry. */
export function errorOf(form: { readonly errors: FormErrors }, path: string): FormErrors[string] {
  const found = Object.keys(form.errors).find((key) => key === path || key.startsWith(`${path}.`));
  return found === undefined ? undefined : form.errors[found];
}
