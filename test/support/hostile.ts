const RUN = 'window.hacked=1';

const MARKUP = [
  `<script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `</noscript><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<math><mtext></p><style><img src=x onerror=${RUN}>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<iframe src="javascript:${RUN}">`,
  `<a href="javascript:${RUN}">x</a>`,
  `<form action="javascript:${RUN}"><input type=submit autofocus>`,
  `<input autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<meta http-equiv="Content-Security-Policy" content="script-src *">`,
  `<style>@import "https://evil.example/x.css";</style>`,
  `<plaintext>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
];

const ATTRIBUTES = [
  `" onload="${RUN}`,
  `' onload='${RUN}`,
  `" autofocus onfocus="${RUN}" x="`,
  `" style="position:fixed;inset:0" x="`,
  `"><script>${RUN}</script>`,
  `"/><svg onload=${RUN}>`,
  `\`onload=${RUN}`,
  `\\" onload=\\"${RUN}`,
  `0;url=javascript:${RUN}`,
];

const CODE = [
  `<%= ${RUN} %>`,
  `{{${RUN}}}`,
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `';${RUN};//`,
  `\\';${RUN};//`,
  `*/${RUN}/*`,
  `\n${RUN}\n`,
  `\u2028${RUN}\u2029`,
  `__proto__`,
  `constructor`,
  `null`,
];

/** Hostile values in the form of URLs. */
export const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `javascript://example.com/%0a${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `blob:https://evil.example/1`,
  `file:///etc/passwd`,
  `intent://evil#Intent;scheme=javascript;S.browser_fallback_url=javascript:${RUN};end`,
  `/x#Intent;component=com.evil/.Main;end`,
  `/x;end#Intent;package=com.evil;end`,
  `//evil.example/`,
  `https://good.example@evil.example/`,
  `https://evil.example;script-src-elem *;/`,
  `https://evil.example,https://x/`,
  `https://evil.example/'"><script>${RUN}</script>`,
  `https://аррӏе.com/`,
  `https://[::1]:22/`,
];

const CHARACTERS = [
  'moc.elgoog\u202ewww',
  '\u2067evil.example\u2069 is good.example',
  '\u200b\u200c\u200d\u2060\ufeff',
  '\u0301'.repeat(200),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢'.repeat(10),
  '👩‍👩‍👧‍👦'.repeat(60),
  'x'.repeat(1_000),
  '<'.repeat(500),
  '\u0007\u0008\u001b[31m',
  '\r\nSet-Cookie: a=b\r\n\r\n<script>',
  '\ufffe\uffff',
  '   ',
];

/** Values that try to break out of a page from titles, names, URLs and paths; Postgres can store every one. */
export const HOSTILE: readonly string[] = [
  ...new Set([...MARKUP, ...ATTRIBUTES, ...CODE, ...ADDRESSES, ...CHARACTERS]),
];
