import type { AnyRouter } from '@tanstack/react-router';

/** Paths of the entries of the history, by their index. */
const paths: string[] = [];
let index = 0;

/** Remembers which pages the user came by. */
export function followHistory(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', ({ toLocation }) => {
    index = toLocation.state.__TSR_index;
    paths[index] = toLocation.pathname;
  });
}

/** The path of the page before the current one, if it is known. */
export function pathBefore(): string | undefined {
  return paths[index - 1];
}
