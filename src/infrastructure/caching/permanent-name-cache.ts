import { BoundedCache } from '../../common/bounded-cache';

type Named = readonly [id: number, name: string];

/** Names that never change, by organization and id: what was read once is right for ever. */
export class PermanentNames {
  private readonly known = new BoundedCache<string, string>(20_000);

  /** @param load reads names of the organization's own rows */
  constructor(private readonly load: (organizationId: number, ids: number[]) => Promise<Named[]>) {}

  /** Names by id; ids that are not the organization's are left out. */
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
