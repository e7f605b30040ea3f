interface Owned {
  readonly organizations: Iterable<number>;
}

/**
 * Turns of organizations. Next is the organization with the least work in progress, and among equals the one with the
 * oldest last turn, so that slow work delays only its own organization.
 */
export class Turns {
  /** Number of tasks in progress, by organization. */
  private readonly running = new Map<number, number>();
  /** Number of the last turn by organization. */
  private readonly last = new Map<number, number>();
  private turn = 0;

  /** @returns the first of `waiting` that belongs to the organization whose turn it is */
  next<Work extends Owned>(waiting: Iterable<Work>): Work | undefined {
    let next: Work | undefined;
    let best: Rank = [Infinity, Infinity];
    for (const work of waiting) {
      for (const organizationId of work.organizations) {
        const rank = this.rankOf(organizationId);
        if (isBefore(rank, best)) [next, best] = [work, rank];
      }
    }
    return next;
  }

  begin({ organizations }: Owned): void {
    this.turn++;
    for (const organizationId of organizations) {
      this.last.set(organizationId, this.turn);
      this.running.set(organizationId, (this.running.get(organizationId) ?? 0) + 1);
    }
  }

  end({ organizations }: Owned): void {
    for (const organizationId of organizations) {
      const running = (this.running.get(organizationId) ?? 0) - 1;
      if (running > 0) this.running.set(organizationId, running);
      else this.running.delete(organizationId);
    }
  }

  private rankOf(organizationId: number): Rank {
    return [this.running.get(organizationId) ?? 0, this.last.get(organizationId) ?? 0];
  }
}

type Rank = readonly [running: number, lastTurn: number];

function isBefore(a: Rank, b: Rank): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}
