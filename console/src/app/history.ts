import type { AnyRouter } from '@tanstack/react-router';

/** Paths of history entries, by index. */
const paths: string[] = [];
let index = 0;

/** Records the pages that the user has visited. */
export function followHistory(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', ({ toLocation }) => {
    index = toLocation.state.__TSR_index;
    paths[index] = toLocation.pathname;
  });
}

/** The path of the previous page, if known. */
export function pathBefore(): string | undefined {
  return paths[index - 1];
}
