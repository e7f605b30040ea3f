import { type AtomOptions, atom, textProblem } from './atom';
import { isBlank } from './visible-text';

const MAX = 200;

/**
 * The customer's member id (`externalUserId`), stored unchanged: 1 to 200 characters, at least one of them visible.
 */
export function MemberId(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    const problem = textProblem(value);
    if (problem !== null) return problem;
    if (isBlank(value as string)) return 'must not be blank';
    return Array.from(value as string).length > MAX ? `must be at most ${MAX} characters long` : null;
  };
  const api = { type: String, minLength: 1, maxLength: MAX, pattern: String.raw`\S` };
  return atom('memberId', check, api, { example: 'member-1001', ...options });
}
