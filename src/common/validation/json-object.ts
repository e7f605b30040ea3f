import { type AtomOptions, atom, textProblem } from './atom';

function jsonProblem(value: unknown): string | null {
  if (typeof value === 'string') return textProblem(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : 'must not be a number that is too large';
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, each] of Object.entries(value)) {
    const problem = textProblem(key) ?? jsonProblem(each);
    if (problem !== null) return problem;
  }
  return null;
}

/** An object of any JSON content, stored unchanged. */
export function JsonObject(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
    const problem = jsonProblem(value);
    return problem === null ? null : `contains a value that ${problem}`;
  };
  return atom('jsonObject', check, { type: 'object', additionalProperties: true }, options);
}
