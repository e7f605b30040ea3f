import { createContext } from 'react';
import type { Days } from './range';

/** Range and filters of the page, for the names of downloaded files. */
export const FileDetails = createContext('');

/** @param filters such as `country=KR` */
export function fileDetails({ from, to }: Days, filters: readonly string[] = []): string {
  return [from === to ? from : `${from} to ${to}`, ...filters].join(', ');
}
