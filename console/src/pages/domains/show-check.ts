import type { Schemas } from '../../api/client';
import { showDone, showProblem } from '../../kit/toasts';
import { textOf } from '../../texts/texts';
import { domainTexts } from './texts';

/** Shows the result of a check. */
export function showCheck({ lastCheck }: Schemas['CustomDomainResponse']): void {
  const problem = lastCheck?.problem ?? null;
  if (problem === null) showDone(textOf(domainTexts, 'wasChecked'));
  else showProblem(textOf(domainTexts, problem));
}
