/** How a link or campaign answers (docs/concepts/redirects.md#decision-order). */
export type Decision = Closed | 'PREVIEW' | 'APP' | 'AD' | 'REDIRECT';

/** Why a link or campaign lets nobody through. */
export type Closed = 'NOT_FOUND' | 'DISABLED' | 'NOT_STARTED' | 'EXPIRED';

/** How a tracked link answers, gate and store visits included. */
export type TracedAnswer = Decision | 'PASSWORD' | 'USED_UP' | 'STORE';
