import { HOSTILE } from './hostile';

/** Code that hostile texts try to run. */
export const RUN = 'window.__ran=1';

const EVENTS = ['load', 'error', 'click', 'focus', 'mouseover', 'pointerenter', 'animationstart', 'toggle'];
const ELEMENTS = [
  'img src=x',
  'svg',
  'body',
  'input autofocus',
  'details open',
  'video src=x',
  'x tabindex=1',
];

const MORE = [
  ...ELEMENTS.flatMap((element) => EVENTS.map((event) => `<${element} on${event}=${RUN}>`)),
  ...EVENTS.flatMap((event) => [`" on${event}="${RUN}`, `' on${event}='${RUN}' x='`, `on${event}=${RUN}`]),
  ...['script', 'style', 'title', 'textarea', 'noscript', 'template', 'xmp', 'iframe', 'select', 'table'].map(
    (element) => `</${element}><script>${RUN}</script><${element}>`,
  ),
  ...['href', 'xlink:href', 'src', 'action', 'formaction', 'data', 'poster', 'background'].map(
    (attribute) => `<a ${attribute}="javascript:${RUN}">x</a>`,
  ),
  ...['animate', 'set', 'use', 'foreignObject', 'image', 'script', 'a', 'handler'].map(
    (element) => `<svg><${element} href="data:text/html,<script>${RUN}</script>" onbegin=${RUN} />`,
  ),
  ...['__proto__', 'prototype', 'constructor', 'hasOwnProperty'],
  ...['__proto__.polluted', 'constructor.prototype', '__proto__[x]', '$$typeof', 'dangerouslySetInnerHTML'],
  '{"__proto__":{"polluted":1}}',
  '{"$$typeof":"react.element","type":"script","props":{}}',
  `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${RUN}>"}}`,
  '[object Object]',
  '1e309',
  ...['=', '+', '-', '@', '\t=', ' =', "'="].map((sign) => `${sign}HYPERLINK("https://evil.example/","x")`),
  "=cmd|' /C calc'!A0",
  '{{count}}',
  '$t(links:title)',
  '<0>x</0>',
  '${alert(1)}',
  '{b}: {c}<br/>{@x}',
  'background:url(javascript:alert(1))',
  '@import "https://evil.example/x.css"',
  '../../../etc/passwd',
  '?tab=audit&x=1#y',
  "' OR 1=1 --",
  '%00',
  '\\u0000',
  '한국어\u202Egnp.exe',
  '٠١٢٣',
];

/** Values that a console might interpret as markup, code, URLs, formulas or property names. */
export const HOSTILE_TEXTS: readonly string[] = [...new Set([...HOSTILE, ...MORE])].filter(
  (value) => value.trim() !== '',
);
