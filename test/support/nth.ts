/** The item at an index. @throws if it is missing, because the test would then check nothing */
export function nth<T>(items: readonly T[], index: number): T {
  const item = items.at(index);
  if (item === undefined) throw new Error(`There is no item ${index} of ${items.length}`);
  return item;
}
