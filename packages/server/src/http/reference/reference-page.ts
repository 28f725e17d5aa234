import { hash } from 'node:crypto'
import { escapeHtml } from '../../lib/html.ts'
import type { GuideSection } from './guide-section.ts'
import type { ReferenceDocument } from './reference-document.ts'
import { prose, renderFields, renderType } from './reference-fields.ts'
import { guide } from './reference-guide.ts'
import { anchorLink, renderExamples, renderOperation, type PlacedOperation } from './reference-operation.ts'
import { style } from './reference-page.style.ts'
import { renderWebhooks, webhooksId } from './reference-webhooks.ts'

/** The content security policy of the page. Its script sends requests only to this service. */
export const referencePolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/**
 * Renders the OpenAPI document as a single HTML page. Search, copy buttons and the values of the reader need the script
 * `docs.js`; everything else works without it.
 */
export function referencePage(openApi: Record<string, unknown>): string {
  const document = openApi as unknown as ReferenceDocument
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): PlacedOperation => ({ path, method, operation })),
  )
  const byTag = [...Map.groupBy(operations, ({ operation }) => operation.tags.join(' '))].toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  )
  const sections = byTag.map(
    ([tag, tagged]) =>
      `<section id="${tagId(tag)}"><h2>${escapeHtml(tagName(tag))}${anchorLink(tagId(tag))}</h2>${tagged.map((placed) => renderOperation(placed, document)).join('')}</section>`,
  )
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const id = `schema-${name}`
    const description = schema.description === undefined ? '' : `<p>${prose(schema.description)}</p>`
    return `<article id="${id}"><div><h3>${name}${anchorLink(id)}</h3>${description}${renderFields(schema, id) || `<p>${renderType(schema)}</p>`}</div></article>`
  })
  const { title, version, summary } = document.info
  const name = escapeHtml(title)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${name} API</title>
<link rel="icon" href="../../favicon.svg" type="image/svg+xml">
<style>${style}</style><script src="docs.js"></script></head><body>
<a class="skip" href="#content">Skip to content</a>
<header><button class="menu" popovertarget="menu" aria-label="Menu">☰</button>
<a class="brand" href="#content">${name} <span>API</span></a>
<div class="search" hidden><input type="search" placeholder="Search" aria-label="Search the API reference" role="combobox" aria-expanded="false" aria-controls="results" autocomplete="off" spellcheck="false"><kbd>/</kbd><ul id="results" role="listbox" aria-label="Search results" hidden></ul></div>
<fieldset class="languages"><legend>Examples</legend>${languages.map(renderLanguage).join('')}</fieldset>
<a class="site" href="../../docs">Docs</a><a class="site" href="../..">Console</a></header>
<nav id="menu" popover aria-label="Endpoints"><ul>${guide.map((section) => `<li><a href="#${guideId(section)}">${escapeHtml(section.title)}</a></li>`).join('')}<li><a href="#${webhooksId}">Webhook events</a></li></ul>
${byTag.map(renderGroup).join('')}<ul><li><a href="#schemas">Schemas</a></li></ul></nav>
<main id="content"><article class="intro"><div><h1>${name} API</h1><p>${escapeHtml(summary)}</p>
<p>Version ${escapeHtml(version)}. OpenAPI document: <a href="openapi.json">openapi.json</a>. Guides: <a href="../../docs">documentation</a>.</p></div>
<div class="example"><div class="values" hidden></div>${renderExamples(setup)}</div></article>
${guide.map(renderGuide).join('')}
${renderWebhooks(document)}
${sections.join('')}
<section id="schemas"><h2>Schemas${anchorLink('schemas')}</h2>${schemas.join('')}</section></main></body></html>`
}

const languages = [
  { id: 'curl', label: 'curl' },
  { id: 'sdk', label: 'TypeScript' },
  { id: 'cli', label: 'CLI' },
] as const

/** What the examples of each language need first. */
const setup = {
  curl: "API='<api>'\nKEY='<key>'",
  sdk: `import { createClient } from '@quayside/sdk'

const client = createClient({
  baseUrl: '<server>',
  apiKey: '<key>',
})`,
  cli: 'quayside login --server $SERVER',
}

const renderLanguage = ({ id, label }: (typeof languages)[number], index: number): string =>
  `<input type="radio" name="language" id="language-${id}" value="${id}"${index === 0 ? ' checked' : ''}><label for="language-${id}">${label}</label>`

const renderGroup = ([tag, tagged]: [string, PlacedOperation[]]): string =>
  `<details><summary>${escapeHtml(tagName(tag))}</summary><ul>${tagged.map(renderLink).join('')}</ul></details>`

const renderLink = ({ method, operation: { operationId, summary } }: PlacedOperation): string =>
  `<li><a href="#${operationId}">${escapeHtml(summary)} <b class="${method}">${method === 'delete' ? 'del' : method}</b></a></li>`

const tagName = (tag: string): string => tag.replace(/^api /, 'API ')
const tagId = (tag: string): string => `tag-${tag.replaceAll(' ', '-')}`
const guideId = ({ title }: GuideSection): string => `guide-${title.toLowerCase().replaceAll(' ', '-')}`

function renderGuide(section: GuideSection): string {
  const { title, text, code } = section
  const paragraphs = text.map((paragraph) => `<p>${prose(paragraph)}</p>`).join('')
  return `<section id="${guideId(section)}" class="guide"><h2>${escapeHtml(title)}${anchorLink(guideId(section))}</h2>${paragraphs}${code === undefined ? '' : `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`}</section>`
}
