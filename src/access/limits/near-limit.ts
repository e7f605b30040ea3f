/** More than requests that run at once create together: further from its limit, an organization's creations run side by side. */
const NEAR = 100_000;

/** Whether creations have to take turns. @param left how many more the limit allows */
export function isNearLimit(left: number): boolean {
  return left <= NEAR;
}
