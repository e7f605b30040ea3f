import { Failure } from './exit';

/** Per product, the columns of the code and of the destination, each in the ways in which its exports name them. */
const LAYOUTS = {
  bitly: [['bitlink', 'custombackhalf'], ['longurl']],
  branch: [
    ['alias', 'link', 'url'],
    ['fallbackurl', 'desktopurl'],
  ],
  dub: [
    ['key', 'shortlink'],
    ['url', 'destinationurl'],
  ],
  firebase: [['shortlink'], ['deeplink', 'deeplinklink', 'link']],
  kutt: [['address'], ['target']],
  rebrandly: [['slashtag'], ['destination']],
  shlink: [['shortcode'], ['longurl']],
  shortio: [['path'], ['originalurl']],
  yourls: [['keyword'], ['url']],
} as const;

export type LayoutName = keyof typeof LAYOUTS;

export const LAYOUT_NAMES = Object.keys(LAYOUTS) as LayoutName[];

/**
 * The import would give new codes to the rows of a file without a column of codes.
 * @throws Failure if the first row of the file lacks a column of the product
 */
export function checkLayout(name: LayoutName, start: string): void {
  const text = start.replace(/^\ufeff/, '');
  const names = isJson(text)
    ? [...text.matchAll(/"(\w+)"\s*:/g)].map(([, name = '']) => name)
    : headerOf(text).split(/[,;\t]/);
  const columns = new Set(names.map((column) => column.toLowerCase().replaceAll(/[^a-z0-9]/g, '')));
  for (const ways of LAYOUTS[name]) {
    if (!ways.some((way) => columns.has(way))) {
      throw new Failure(`from: the file has no column ${ways.join(' or ')}, which exports of ${name} have`);
    }
  }
}

function headerOf(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.find((line) => line.trim() !== '' && !/^"?sep=/i.test(line)) ?? '';
}

/** Whether a file is JSON rather than CSV, by its start. */
export function isJson(start: string): boolean {
  return /^\s*[[{]/.test(start);
}
