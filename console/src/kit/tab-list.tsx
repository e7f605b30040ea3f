import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

/** The row of tabs of a page. It scrolls where the screen is narrower, and begins at the chosen tab. */
export function TabList({ children }: { children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (row.current && chosen) row.current.scrollLeft = chosen.offsetLeft;
  }, []);
  return (
    <Tabs.List ref={row} className={classes.row} mb="md">
      {children}
    </Tabs.List>
  );
}
