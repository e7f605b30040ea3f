/** Converts loaded rows for `DataTable`. */
export function listOf<Row>(rows: readonly Row[]) {
  return {
    data: { pages: [{ content: rows, totalElements: rows.length }] },
    hasNextPage: false,
    isFetchingNextPage: false,
    fetchNextPage: () => undefined,
  };
}
