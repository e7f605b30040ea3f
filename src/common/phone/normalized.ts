/** Why a value can't be an address to write to, in the words of docs/concepts/opt-outs.md#registering-and-removing */
export type ValueProblem = 'VALUE_REQUIRED' | 'PHONE_FORMAT' | 'EMAIL_FORMAT';

/** A phone number or e-mail address in its one form, or what is wrong with it. */
export type Normalized =
  | { readonly value: string; readonly problem: null }
  | { readonly value: null; readonly problem: ValueProblem };

export function normalized(value: string): Normalized {
  return { value, problem: null };
}

export function refused(problem: ValueProblem): Normalized {
  return { value: null, problem };
}
