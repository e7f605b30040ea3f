export const DAY_MS = 86_400_000;

/** First day of the UTC month that contains a time in milliseconds, as `YYYY-MM-DD`. */
export function firstOfMonth(time: number): string {
  return `${new Date(time).toISOString().slice(0, 7)}-01`;
}
