import { Injectable } from '@nestjs/common';
import type { FrontConnection } from '../../common/http/front-connection';
import type { PlainRequest } from '../../common/http/plain-request';
import { parseShortPath, splitPath } from './short-path';
import type { Target } from './target';
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
    const [target, tracker] = this.peek(domainId, path);
    if (!target) return false;
    const followed = { request, head: request.method === 'HEAD', query, tracker };
    const redirect = this.answers.redirectOf(target, followed);
    if (!redirect) return false;
    const { location, kept } = redirect;
    if (kept) this.redirectWhen(kept, { connection, location }, failed);
    else connection.redirect(location);
    return true;
  }

  private peek(domainId: number, path: string): [target: Target | null | undefined, tracker: string | null] {
    // Most paths are a code that memory knows, and need no closer look.
    const known = this.targets.peekCode(domainId, path.slice(1));
    if (known) return [known, null];
    const shortPath = parseShortPath(path);
    if (!shortPath) return [null, null];
    const tracker = shortPath.kind === 'campaign' ? shortPath.tracker : null;
    return [this.targets.peek(domainId, shortPath), tracker];
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
