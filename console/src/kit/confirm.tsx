import { lazy, Suspense } from 'react';
import { Store, useStore } from '../api/store';
import type { Question } from './confirm-dialog';
import { focusedNow, giveBackFocus } from './focus';

const asked = new Store<(Question & { answer: (yes: boolean) => void }) | null>(null);

/** Asks for confirmation: `if (await confirm({ … })) …`. */
export function confirm(question: Question): Promise<boolean> {
  const before = focusedNow();
  return new Promise((resolve) => {
    asked.set({
      ...question,
      answer: (yes) => {
        asked.set(null);
        // Waits until the dialog, which traps the focus, has been removed.
        requestAnimationFrame(() => giveBackFocus(before));
        resolve(yes);
      },
    });
  });
}

const ConfirmDialog = lazy(() =>
  import('./confirm-dialog').then((module) => ({ default: module.ConfirmDialog })),
);

export function Confirmations() {
  const question = useStore(asked);
  return (
    question && (
      <Suspense>
        <ConfirmDialog key={question.title} {...question} />
      </Suspense>
    )
  );
}
