import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

/** Tab list of a page. On a narrow screen it scrolls, starting at the selected tab. */
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
