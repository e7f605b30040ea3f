import { Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import classes from './fresh.module.css';

/** Hides content of a previous filter or range while the chosen one loads, keeping its size. */
export function Fresh({ stale, children }: { stale: boolean; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  const focused = useRef<Element | null>(null);
  // Hidden content loses the focus, so it is restored afterwards.
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (stale && content.current?.contains(active)) focused.current = active;
  }, [stale]);
  useEffect(() => {
    if (stale) return;
    const before = focused.current;
    focused.current = null;
    if (before instanceof HTMLElement && document.activeElement === document.body) {
      before.focus({ preventScroll: true });
    }
  }, [stale]);
  return (
    <div className={classes.frame} aria-busy={stale}>
      <div ref={content} className={classes.content} data-stale={stale || undefined}>
        {children}
      </div>
      {stale && <Skeleton className={classes.loading} />}
    </div>
  );
}
