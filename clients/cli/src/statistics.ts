import type { Output } from './output';
import { amount, type Bar, bars, count, printable, sparkline } from './text';

interface Statistics {
  title: string;
  from: string;
  to: string;
  clicks: number;
  visitors: number | null;
  bots: number;
  days: readonly Bar[];
  groups: Readonly<Record<string, readonly { name: string; count: number }[]>>;
}

/** Days that are shown one by one; more of them are a line. */
const MOST_BARS = 31;
const TOP = 5;

export function printStatistics(output: Output, statistics: Statistics): void {
  const { title, from, to, clicks, visitors, bots, days, groups } = statistics;
  const { columns } = output;
  const heading = (text: string) => output.print(output.style('bold', text));
  heading(printable(title));
  const figures = [
    amount(clicks, 'click'),
    visitors === null ? '' : amount(visitors, 'visitor'),
    `${count(bots)} by bots`,
  ];
  output.print(`${from} to ${to}: ${figures.filter(Boolean).join(', ')}`);
  if (clicks > 0) {
    const values = days.map(({ value }) => value);
    const plot = days.length <= MOST_BARS ? bars(days, columns) : [sparkline(values, columns)];
    output.print('');
    for (const line of plot) output.print(output.style('cyan', line));
  }
  for (const [name, items] of Object.entries(groups)) {
    const counted = items.filter((item) => item.count > 0);
    if (counted.length === 0) continue;
    output.print('');
    heading(name);
    const top = counted.slice(0, TOP).map((item) => ({ label: printable(item.name), value: item.count }));
    for (const line of bars(top, columns)) output.print(line);
  }
}
