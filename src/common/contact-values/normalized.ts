/** Why a value cannot be a recipient (docs/concepts/opt-outs.md#registering-and-removing). */
export type ValueProblem = 'VALUE_REQUIRED' | 'PHONE_FORMAT' | 'EMAIL_FORMAT';

export type Normalized =
  | { readonly value: string; readonly problem: null }
  | { readonly value: null; readonly problem: ValueProblem };

export function normalized(value: string): Normalized {
  return { value, problem: null };
}

export function refused(problem: ValueProblem): Normalized {
  return { value: null, problem };
}
