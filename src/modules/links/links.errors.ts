import { DomainError } from '../../common/errors/domain-error';

/** What an import had done before it broke off. */
interface Done {
  dryRun: boolean;
  created: number;
  failed: number;
}

/** The file can't be read from that line on. @param done null when nothing of it stays */
export class ImportBrokenOff extends DomainError {
  constructor(line: number, problem: string, done: Done | null) {
    const before = done
      ? `of the rows before it ${done.created} ${done.dryRun ? 'can become' : 'became'} links and ${done.failed} failed`
      : 'nothing was imported';
    const message = `${problem}; ${before}`;
    const extras = { created: done?.created ?? 0, failed: done?.failed ?? 0 };
    super(400, 'VALIDATION_FAILED', `line ${line}: ${message}`, {
      details: [{ field: `line ${line}`, message }],
      ...extras,
    });
  }
}

/** The link has a password, and the call has none. */
export class LinkPasswordRequired extends DomainError {
  constructor() {
    super(403, 'LINK_PASSWORD_REQUIRED', 'The link has a password: ask the person for it');
  }
}

export class LinkPasswordWrong extends DomainError {
  constructor() {
    super(403, 'LINK_PASSWORD_WRONG', 'That is not the password of the link');
  }
}
