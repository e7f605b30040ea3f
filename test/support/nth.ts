/** The item at that place. @throws when there is none: a test that goes on without it would test nothing */
export function nth<T>(items: readonly T[], index: number): T {
  const item = items.at(index);
  if (item === undefined) throw new Error(`There is no item ${index} of ${items.length}`);
  return item;
}
