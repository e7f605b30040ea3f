import { type AtomOptions, atom, textProblem } from '../../common/validation/atom';

const MAX_TEXT = 2000;
const MAX_ITEMS = 100;

function scalarProblem(value: unknown): string | null {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return null;
  if (typeof value !== 'string') return 'must be a string, a number, true or false';
  const problem = textProblem(value);
  if (problem !== null) return problem;
  return Array.from(value).length > MAX_TEXT ? `must be at most ${MAX_TEXT} characters long` : null;
}

function valueProblem(value: unknown): string | null {
  if (!Array.isArray(value)) return scalarProblem(value);
  if (value.length < 1 || value.length > MAX_ITEMS) return `must have 1 to ${MAX_ITEMS} items`;
  for (const [i, each] of value.entries()) {
    const problem = scalarProblem(each);
    if (problem !== null) return `item ${i} ${problem}`;
  }
  return null;
}

export const VALUE_SCHEMA = {
  oneOf: [
    { type: 'string', maxLength: MAX_TEXT },
    { type: 'number' },
    { type: 'boolean' },
    {
      type: 'array',
      minItems: 1,
      maxItems: MAX_ITEMS,
      items: { oneOf: [{ type: 'string', maxLength: MAX_TEXT }, { type: 'number' }, { type: 'boolean' }] },
    },
  ],
};

/** A string, number or boolean, or an array of them. Whether it fits the property is checked later. */
export function PropertyValue(options: AtomOptions): PropertyDecorator {
  return atom('propertyValue', valueProblem, VALUE_SCHEMA, options);
}
