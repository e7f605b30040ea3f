type Figure = number | number[];

/** Sums figures by key in memory, into one row per key, to be added to the rows of a rollup. */
export class Sums<Key extends object, Figures extends { [F in keyof Figures]: Figure }> {
  private readonly sums = new Map<string, { key: Key; figures: Figures }>();

  /** @param key must always have its fields in the same order */
  add(key: Key, figures: Figures, times = 1): void {
    const text = JSON.stringify(Object.values(key));
    const sum = this.sums.get(text)?.figures;
    const entries = Object.entries<Figure>(figures).map(([name, figure]) => [
      name,
      addUp((sum as Record<string, Figure> | undefined)?.[name], figure, times),
    ]);
    this.sums.set(text, { key, figures: Object.fromEntries(entries) as Figures });
  }

  rows(): (Key & Figures)[] {
    return [...this.sums.values()]
      .filter(({ figures }) =>
        Object.values<Figure>(figures)
          .flat()
          .some((figure) => figure !== 0),
      )
      .map(({ key, figures }) => ({ ...key, ...figures }));
  }
}

function addUp(sum: Figure | undefined, figure: Figure, times: number): Figure {
  if (!Array.isArray(figure)) return ((sum as number | undefined) ?? 0) + figure * times;
  return figure.map((each, i) => ((sum as number[] | undefined)?.[i] ?? 0) + each * times);
}
