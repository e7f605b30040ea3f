import { BoundedCache } from '../../common/bounded-cache';

type Named = readonly [id: number, name: string];

/** Cache of names that never change, keyed by organization and id; entries need no invalidation. */
export class PermanentNameCache {
  private readonly known = new BoundedCache<string, string>(20_000);

  /** @param load reads names from the organization's own rows */
  constructor(private readonly load: (organizationId: number, ids: number[]) => Promise<Named[]>) {}

  /** Names by id. Ids that belong to another organization are left out. */
  async of(organizationId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const keyOf = (id: number) => `${organizationId}/${id}`;
    const unknown = ids.filter((id) => !this.known.has(keyOf(id)));
    if (unknown.length > 0) {
      for (const [id, name] of await this.load(organizationId, unknown)) this.known.set(keyOf(id), name);
    }
    return new Map(
      ids.flatMap((id) => {
        const name = this.known.get(keyOf(id));
        return name === undefined ? [] : [[id, name]];
      }),
    );
  }
}
