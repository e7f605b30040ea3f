/** How a link or campaign answers (docs/concepts/redirects.md#decision-order). */
export type Decision = Closed | 'PREVIEW' | 'APP' | 'AD' | 'REDIRECT';

/** Why nobody gets through a link or campaign. */
export type Closed = 'NOT_FOUND' | 'DISABLED' | 'NOT_STARTED' | 'EXPIRED';

/** The response of a tracked link, including the gate and store visits. */
export type TracedAnswer = Decision | 'PASSWORD' | 'USED_UP' | 'STORE';
