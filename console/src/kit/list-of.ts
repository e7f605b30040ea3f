/** Rows that are all there, as `DataTable` takes them. */
export function listOf<Row>(rows: readonly Row[]) {
  return {
    data: { pages: [{ content: rows, totalElements: rows.length }] },
    hasNextPage: false,
    isFetchingNextPage: false,
    fetchNextPage: () => undefined,
  };
}
