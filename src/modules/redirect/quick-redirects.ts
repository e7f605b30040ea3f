import { Injectable } from '@nestjs/common';
import type { FrontConnection } from '../../common/http/front-connection';
import type { PlainRequest } from '../../common/http/plain-request';
import { splitPath } from './short-path';
import { TargetAnswers } from './target-answers';
import { Targets } from './targets';

/** Answers a connection whose click no place took. */
export type Failed = (connection: FrontConnection, error: unknown) => void;

type Kept = Promise<unknown>;

/** Redirects that wait for the same clicks to be kept: those of one turn of the event loop. */
interface Turn {
  kept: Kept;
  redirects: { connection: FrontConnection; location: string }[];
}

/** Redirects of which memory knows everything: most requests, and next to nothing is done for each. */
@Injectable()
export class QuickRedirects {
  private turn: Turn | null = null;

  constructor(
    private readonly targets: Targets,
    private readonly answers: TargetAnswers,
  ) {}

  /**
   * Answers a request with a redirect as soon as its click is kept.
   * @returns false when it needs more than that: nothing has been done
   */
  take(domainId: number, request: PlainRequest, connection: FrontConnection, failed: Failed): boolean {
    const { path, query } = splitPath(request.url);
    const located = this.targets.locate(domainId, path);
    if (!located?.target) return false;
    const followed = { request, head: request.method === 'HEAD', query, tracker: located.tracker };
    const redirect = this.answers.redirectOf(located.target, followed);
    if (!redirect) return false;
    const { location, kept } = redirect;
    if (kept) this.redirectWhen(kept, { connection, location }, failed);
    else connection.redirect(location);
    return true;
  }

  private redirectWhen(kept: Kept, redirect: Turn['redirects'][number], failed: Failed): void {
    if (this.turn?.kept === kept) {
      this.turn.redirects.push(redirect);
      return;
    }
    const redirects = [redirect];
    this.turn = { kept, redirects };
    kept.then(
      () => {
        for (const { connection, location } of redirects) connection.redirect(location);
      },
      (error: unknown) => {
        for (const { connection } of redirects) failed(connection, error);
      },
    );
  }
}
