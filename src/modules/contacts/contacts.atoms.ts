import { type AtomOptions, atom, textProblem } from '../../common/validation/atom';

/** The text to store for a custom field; null for an invalid value. */
export function customFieldText(value: unknown): string | null {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return textProblem(text) === null ? text : null;
}

function customFieldsProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  for (const [name, field] of Object.entries(value)) {
    const problem = textProblem(name);
    if (problem !== null) return `has a key that ${problem}`;
    if (typeof field === 'number' && !Number.isFinite(field)) return `${name} is a number that is too large`;
    if (field !== null && customFieldText(field) === null) {
      return `${name} must be valid Unicode text without the character U+0000`;
    }
  }
  return null;
}

/** An object of attributes: texts, numbers and booleans; other values are stored as JSON. */
export function CustomFields(options: AtomOptions): PropertyDecorator {
  return atom('customFields', customFieldsProblem, { type: 'object', additionalProperties: true }, options);
}
