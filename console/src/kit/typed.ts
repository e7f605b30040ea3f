import { useEffect } from 'react';
import { common } from '../texts/common';
import { textOf } from '../texts/texts';
import { confirm } from './confirm';

/** Forms with unsaved input. */
const typed = new Set<object>();

export function hasTyped(): boolean {
  return typed.size > 0;
}

/** Asks before unsaved input is discarded. @returns false if the user stays */
export async function mayLeave(): Promise<boolean> {
  if (!hasTyped()) return true;
  const yes = await confirm({
    title: textOf(common, 'discard'),
    text: textOf(common, 'discardText'),
    confirm: textOf(common, 'discardYes'),
    danger: true,
  });
  if (yes) typed.clear();
  return yes;
}

/** Registers a form as having unsaved input while it is dirty and shown. */
export function useTyped(form: object, dirty: boolean): void {
  useEffect(() => {
    if (dirty) typed.add(form);
    return () => forget(form);
  }, [form, dirty]);
}

export function forget(form: object): void {
  typed.delete(form);
}
