/** Exit codes, as README.md lists them. */
export const EXIT = { failure: 1, usage: 2, unauthorized: 4, interrupted: 130 } as const;

/** Ends the program with a message. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failure,
  ) {
    super(message);
  }
}

/** An argument or option that cannot be used. */
export class UsageError extends Failure {
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}
