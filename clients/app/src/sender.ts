import { type Api, WaypostError } from './api';
import { FUNNEL } from './calls';
import type { Openings, Opening, Found } from './openings';
import { Patience } from './patience';
import type { Entry, Queue } from './queue';
import type { Sessions } from './sessions';
import type { DeepLink, DroppedCall, PasswordRequest } from './types';

/** Path of entries that record an opening of the app instead of an API call. */
export const OPENING = 'opening';
export const CREATE = '/cross-platform/session/create';
const REGISTER = '/cross-platform/session/register-link';

const PASSWORD_REASONS: Partial<Record<string, PasswordRequest['reason']>> = {
  LINK_PASSWORD_REQUIRED: 'REQUIRED',
  LINK_PASSWORD_WRONG: 'WRONG',
  RATE_LIMITED: 'LOCKED',
};

interface SenderParts {
  api: Api;
  queue: Queue;
  sessions: Sessions;
  openings: Openings;
  onLink(link: DeepLink): void;
  onPassword(entry: Entry, reason: PasswordRequest['reason']): void;
  onDropped(call: DroppedCall): void;
}

/** Sends what waits in the queue, one call after the other. */
export class Sender {
  private isRunning = false;
  private attempts: (() => void)[] = [];
  private readonly patience = new Patience();
  /** Passwords by session; they are never stored. */
  private readonly passwords = new Map<string, string>();

  constructor(private readonly parts: SenderParts) {}

  /** Starts sending unless it is under way. */
  start(): void {
    if (!this.isRunning) void this.run();
  }

  /** Does not wait for the next attempt any longer. */
  wake(): void {
    this.patience.wake();
    this.start();
  }

  /** Resolves when everything is sent, or an attempt has failed. */
  flush(): Promise<void> {
    const attempt = new Promise<void>((resolve) => this.attempts.push(resolve));
    this.wake();
    return attempt;
  }

  /** Must come before the opening that needs it. */
  usePassword(session: string, password: string): void {
    this.passwords.set(session, password);
  }

  private async run(): Promise<void> {
    const { queue } = this.parts;
    this.isRunning = true;
    for (let entry = queue.first; entry; entry = queue.first) {
      try {
        await this.deliver(entry);
        this.patience.succeeded();
      } catch (error) {
        this.settle();
        await this.patience.wait(error instanceof WaypostError ? error.retryAfterMs : null);
      }
    }
    this.isRunning = false;
    this.settle();
  }

  private settle(): void {
    const attempts = this.attempts;
    this.attempts = [];
    for (const resolve of attempts) resolve();
  }

  /** @throws if the call must be repeated later */
  private async deliver(entry: Entry): Promise<void> {
    const { queue } = this.parts;
    queue.sending = entry;
    try {
      if (entry.path === OPENING) await this.open(entry);
      else await this.call(entry);
    } catch (error) {
      if (!(error instanceof WaypostError && error.isFinal)) throw error;
      this.drop(entry, error);
    } finally {
      queue.sending = null;
    }
    queue.remove(entry);
  }

  private async call(entry: Entry): Promise<void> {
    const { path, body, identitySignature } = entry;
    const sessionId = this.parts.sessions.idOf(entry.session);
    const send = (fields: object, signature?: string) =>
      this.parts.api.post(
        path.replace(':id', encodeURIComponent(sessionId)),
        { ...fields, sessionId },
        { 'X-Identity-Signature': signature },
      );
    try {
      await send(body, identitySignature);
    } catch (error) {
      const isUnproven = error instanceof WaypostError && error.isFinal && error.status === 401;
      if (path !== CREATE || !isUnproven) throw error;
      // The session counts even if nobody proves whose it is.
      const { externalUserId: _unproven, ...fields } = body;
      await send(fields);
    }
  }

  private async open(entry: Entry): Promise<void> {
    const { openings, sessions, queue } = this.parts;
    const opening = entry.body as unknown as Opening;
    const password = this.passwords.get(entry.session) ?? null;
    try {
      if (!opening.isResolved) {
        const found = await openings.resolve(opening, entry.session, password);
        if (!found) return;
        if (found.sessionId !== null) await sessions.learn(entry.session, found.sessionId);
        this.follow(entry, found);
        this.parts.onLink(found.link);
        opening.isResolved = true;
        await queue.keep(entry);
      }
      await openings.count(opening, entry.session, password);
    } catch (error) {
      if (!(error instanceof WaypostError)) throw error;
      const reason = PASSWORD_REASONS[error.code ?? ''];
      if (reason && (reason !== 'LOCKED' || password !== null)) this.parts.onPassword(entry, reason);
      // No link has that address, or the token has expired: the session begins without it.
      else if (error.status !== 404 || !error.isFinal) throw error;
    }
  }

  /** Queues the stages and the link of an opening's session. */
  private follow({ session, body }: Entry, { link, sessionId, token }: Found): void {
    const { queue } = this.parts;
    const { stages } = body as { stages?: Record<string, unknown> };
    // The click did not pass through Waypost, so nothing else has recorded the stage.
    if (link.matchedBy === 'address' && stages) void queue.add({ path: FUNNEL, session, body: stages });
    if (sessionId === null && token !== null) void queue.add({ path: REGISTER, session, body: { token } });
  }

  private drop({ path, body }: Entry, { code, status, message }: WaypostError): void {
    this.parts.api.warn(`Refused: ${path}: ${message}`);
    this.parts.onDropped({ reason: code ?? String(status), message, path, body });
  }
}
