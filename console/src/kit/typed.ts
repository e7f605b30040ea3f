import { useEffect } from 'react';
import { common } from '../texts/common';
import { textOf } from '../texts/texts';
import { confirm } from './confirm';

/** Forms in which something was typed that has not been saved. */
const typed = new Set<object>();

export function hasTyped(): boolean {
  return typed.size > 0;
}

/** Asks before typed text is discarded. @returns false if the user stays */
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

/** Counts a form as typed in while it is dirty and shown. */
export function useTyped(form: object, dirty: boolean): void {
  useEffect(() => {
    if (dirty) typed.add(form);
    return () => forget(form);
  }, [form, dirty]);
}

export function forget(form: object): void {
  typed.delete(form);
}
