import { type ComponentType, lazy } from 'react';

/**
 * A component whose script is not in that of the page, but comes while the page asks for its figures. A failure shows when
 * the component is shown.
 */
export function lazySoon<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  load().catch(() => undefined);
  return lazy(load);
}
