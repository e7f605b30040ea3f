import type { Hosts } from '../modules/redirect/hosts';
import type { RedirectObserver } from '../modules/redirect/observation/redirect-observer';
import type { RedirectResponder } from '../modules/redirect/redirect-responder';
import type { RedirectListener } from '../modules/redirect/redirect.listener';
import { splitPath } from '../modules/redirect/redirect-request';
import type { TrackedLinkLocator } from '../modules/redirect/tracked-link-locator';
import type { FastPathConnection, RequestHandler } from './fast-path-connection';
import type { PlainRequest } from './plain-request';
import type { CachedTrackedLink } from '../modules/tracked-links/tracked-link-cache';

type Stored = Promise<unknown>;

/** The redirects within a turn of the event loop, whose clicks are stored together. */
interface Turn {
  stored: Stored;
  redirects: Redirect[];
}

interface Redirect {
  readonly connection: FastPathConnection;
  readonly request: PlainRequest;
  readonly host: string;
  readonly trackedLink: CachedTrackedLink;
  readonly location: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/** Handles redirects of cached links without objects of node:http; other requests go to the redirect listener. */
export class FastRedirects {
  private turn: Turn | null = null;

  constructor(
    private readonly hosts: Hosts,
    private readonly listener: RedirectListener,
    private readonly trackedLinks: TrackedLinkLocator,
    private readonly answers: RedirectResponder,
    private readonly observer: RedirectObserver,
  ) {}

  /** Handles every request outside the API. */
  readonly handle: RequestHandler = (request, connection) => {
    const host = this.hosts.nameOf(request.headers.host);
    if (this.hosts.isOfApi(host, request.url)) return false;
    if (!this.redirect(request, connection, host))
      connection.respond((message, response) => this.listener.respond(message, response, host));
    return true;
  };

  /** @returns false, without having recorded anything, if the request needs more than a redirect */
  private redirect(request: PlainRequest, connection: FastPathConnection, host: string): boolean {
    const domain = this.hosts.peek(host);
    if (!domain || domain.disabled) return false;
    const startedAt = performance.now();
    try {
      const { path, query } = splitPath(request.url);
      const located = this.trackedLinks.locate(domain, path);
      const trackedLink = located?.trackedLink;
      if (!trackedLink) return false;
      const redirectRequest = { request, head: request.method === 'HEAD', query, tracker: located.tracker };
      const answer = this.answers.redirectOf(trackedLink, redirectRequest);
      if (!answer) return false;
      const { location, kept: stored } = answer;
      const redirect = { connection, request, host, trackedLink, location, startedAt };
      if (stored) this.redirectWhen(stored, redirect);
      else this.send([redirect]);
      return true;
    } catch (error) {
      this.fail(connection, error);
      return true;
    }
  }

  private redirectWhen(stored: Stored, redirect: Redirect): void {
    if (this.turn?.stored === stored) {
      this.turn.redirects.push(redirect);
      return;
    }
    const redirects = [redirect];
    this.turn = { stored, redirects };
    stored.then(
      () => this.send(redirects),
      (error: unknown) => {
        for (const { connection } of redirects) this.fail(connection, error);
      },
    );
  }

  private send(redirects: readonly Redirect[]): void {
    for (const { connection, location } of redirects) connection.redirect(location);
    const now = performance.now();
    for (const { request, host, trackedLink, startedAt } of redirects)
      this.observer.redirected(request, host, trackedLink, startedAt, now);
  }

  private fail(connection: FastPathConnection, error: unknown): void {
    connection.respond((request, response) => {
      this.observer.observe(request, response);
      this.listener.fail(response, error);
    });
  }
}
