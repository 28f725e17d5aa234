import { someOf } from '../../server/test/acceptance/full-size.ts'

/** The function of the page that a payload calls if it runs. */
export const alarm = 'ranPayload'

const call = (index: number): string => `${alarm}(${index})`

type Template = (run: string) => string

const elements: readonly Template[] = [
  (run) => `<script>${run}</script>`,
  (run) => `<ScRiPt>${run}</sCrIpT>`,
  (run) => `<scr<script>ipt>${run}</script>`,
  (run) => `</script><script>${run}</script>`,
  (run) => `</title><script>${run}</script>`,
  (run) => `</textarea><script>${run}</script>`,
  (run) => `--><script>${run}</script>`,
  (run) => `]]><script>${run}</script>`,
  (run) => `<script src="data:text/javascript,${run}"></script>`,
  (run) => `<script type=module>${run}</script>`,
  (run) => `<img src=x onerror=${run}>`,
  (run) => `<img src=x onerror="${run}">`,
  (run) => `<img/src=x/onerror=${run}>`,
  (run) => `<svg onload=${run}>`,
  (run) => `<svg><script>${run}</script></svg>`,
  (run) => `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  (run) => `<svg><a href="javascript:${run}"><text y=9>x</text></a></svg>`,
  (run) => `<body onload=${run}>`,
  (run) => `<iframe srcdoc="<script>parent.${run}</script>">`,
  (run) => `<iframe src="javascript:parent.${run}">`,
  (run) => `<object data="javascript:${run}">`,
  (run) => `<embed src="javascript:${run}">`,
  (run) => `<video><source onerror=${run}></video>`,
  (run) => `<audio src=x onerror=${run}>`,
  (run) => `<details open ontoggle=${run}>`,
  (run) => `<input autofocus onfocus=${run}>`,
  (run) => `<select autofocus onfocus=${run}>`,
  (run) => `<marquee onstart=${run}>`,
  (run) => `<div style="animation:x 1s" onanimationstart=${run}>`,
  (run) => `<form action="javascript:${run}"><button autofocus>x</button></form>`,
  (run) => `<math><mtext><img src=x onerror=${run}></mtext></math>`,
  (run) => `<template><script>${run}</script></template>`,
  (run) => `<noscript><img src=x onerror=${run}></noscript>`,
  (run) => `<base href="javascript:/a/-${run}//">`,
  (run) => `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  (run) => `<link rel=stylesheet href="data:text/css,*{}" onload=${run}>`,
]

const others: readonly Template[] = [
  // Attributes
  (run) => `"><script>${run}</script>`,
  (run) => `'><script>${run}</script>`,
  (run) => `" autofocus onfocus=${run} x="`,
  (run) => `' autofocus onfocus=${run} x='`,
  (run) => `\`><img src=x onerror=${run}>`,
  (run) => `x" style="background:url(javascript:${run})`,
  // Expressions and JSON
  (run) => `{{constructor.constructor('${run}')()}}`,
  (run) => `\${${run}}`,
  (run) => `";${run};//`,
  (run) => `';${run};//`,
  (run) => `\\";${run};//`,
  (run) => `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${run}>"}}`,
  (run) => `&lt;img src=x onerror=${run}&gt;`,
  (run) => `%3Cscript%3E${run}%3C/script%3E`,
  // Markdown
  (run) => `[x](javascript:${run})`,
  (run) => `![x](javascript:${run})`,
  (run) => `<javascript:${run}>`,
  (run) => `[x](https://example.com "x\\" onmouseover=\\"${run}")`,
  // URLs
  (run) => `javascript:${run}`,
  (run) => `JaVaScRiPt:${run}`,
  (run) => `data:text/html,<script>opener.${run}</script>`,
  (run) => `https://example.com/"><script>${run}</script>`,
  (run) => `https://example.com/?x='-${run}-'`,
  (run) => `https://example.com/#javascript:${run}`,
]

/** Outside CI, a third of each kind is used. */
const shares = 3
const usedElements = someOf(elements, shares, 0)

/** Texts that run a script if a page inserts them as HTML, as an attribute or as a URL. */
export const payloads: readonly string[] = [...usedElements, ...someOf(others, shares, 0)].map(
  (template, index) => template(call(index)),
)

/** Returns whether the payload with this index is an element, for pages that insert text as HTML. */
export const isElement = (index: number): boolean => index < usedElements.length
