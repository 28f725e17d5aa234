import { escapeHtml } from '../lib/html.ts'
import { curlExample, type Schema } from './reference-example.ts'
import { guide, type GuideSection } from './reference-guide.ts'
import { style } from './reference-page.style.ts'

type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  'x-scope': 'public' | 'session' | { workspace: string | null; application: string | null | false }
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<
    string,
    { $ref?: string; description?: string; content?: Record<string, { schema: Schema }> }
  >
}
type Document = {
  info: { title: string; version: string; summary: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, { description: string }> }
}

/** Escapes text for HTML and renders backticks as code. */
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/** Renders the OpenAPI document as a single HTML page without scripts that supports light and dark mode. */
export function referencePage(openApi: Record<string, unknown>): string {
  const document = openApi as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const byTag = [...Map.groupBy(operations, ({ operation }) => escapeHtml(operation.tags.join(' ')))]
  const nav = byTag.map(([tag, tagged]) => {
    const links = tagged.map(
      ({ operation }) => `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></li>`,
    )
    return `<li><a href="#tag-${tag}">${tag}</a><ul>${links.join('')}</ul></li>`
  })
  const sections = byTag.map(([tag, tagged]) => {
    const articles = tagged.map(({ path, method, operation }) =>
      renderOperation(path, method, operation, document),
    )
    return `<section id="tag-${tag}"><h2>${tag}</h2>${articles.join('')}</section>`
  })
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<article id="schema-${name}"><h3>${name}</h3>${schema.description === undefined ? '' : `<p>${prose(schema.description)}</p>`}${renderFields(schema) || `<p>${renderType(schema)}</p>`}</article>`,
  )
  const { title, version, summary } = document.info
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} API</title>
<style>${style}</style></head><body>
<nav aria-label="Endpoints"><p class="brand">${escapeHtml(title)} API <small>${escapeHtml(version)}</small></p><ul>${guide.map(({ title }) => `<li><a href="#${anchor(title)}">${escapeHtml(title)}</a></li>`).join('')}${nav.join('')}<li><a href="#schemas">schemas</a></li></ul></nav>
<main><header><h1>${escapeHtml(title)} API</h1><p>${escapeHtml(summary)}</p>
<p>OpenAPI document: <a href="openapi.json">openapi.json</a>. Guides: <a href="../../docs">documentation</a>.</p></header>
${guide.map(renderGuide).join('')}
${sections.join('')}
<section id="schemas"><h2>schemas</h2>${schemas.join('')}</section></main></body></html>`
}

const anchor = (title: string): string => `guide-${title.toLowerCase().replaceAll(' ', '-')}`

function renderGuide({ title, text, code }: GuideSection): string {
  const paragraphs = text.map((paragraph) => `<p>${prose(paragraph)}</p>`).join('')
  return `<section id="${anchor(title)}"><h2>${escapeHtml(title)}</h2>${paragraphs}${code === undefined ? '' : `<pre>${escapeHtml(code)}</pre>`}</section>`
}

function renderOperation(path: string, method: string, operation: Operation, document: Document): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const rows = parameters.map(({ name, in: location, required, schema, description: text }) =>
    row(name, { ...schema, ...(text === undefined ? {} : { description: text }) }, required, location),
  )
  const body = requestBody?.content['application/json']?.schema
  const example = curlExample({ method, path, isPublic: operation['x-scope'] === 'public', body }, (schema) =>
    resolve(schema, document),
  )
  const responseList = Object.entries(responses)
    .map(([status, { $ref, description: own = '', content }]) => {
      const schema = content?.['application/json']?.schema
      const shared =
        $ref === undefined ? undefined : document.components.responses[$ref.split('/').at(-1) ?? '']
      const text =
        schema === undefined ? prose(shared?.description ?? own) : renderFields(resolve(schema, document))
      return `<dt class="s${status[0]}">${status}</dt><dd>${text}</dd>`
    })
    .join('')
  return `<article id="${operationId}"><h3>${escapeHtml(summary)}</h3>
<p class="line"><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></p>
<p class="scope">${renderScope(operation['x-scope'])}</p>${description === undefined ? '' : `<p>${prose(description)}</p>`}
${rows.length === 0 ? '' : `<h4>Parameters</h4>${table(rows)}`}
${body === undefined ? '' : `<h4>Body</h4>${renderFields(resolve(body, document))}`}
<pre>${escapeHtml(example)}</pre>
<details><summary>Responses</summary><dl>${responseList}</dl></details></article>`
}

function renderScope(scope: Operation['x-scope']): string {
  if (scope === 'public') return 'no key required'
  if (scope === 'session') return 'session required'
  const { workspace, application } = scope
  const format = (scope: string | null) => (scope === null ? 'any' : `<code>${scope}</code>`)
  return `workspace key: ${format(workspace)} · application key: ${application === false ? 'not allowed' : format(application)}`
}

function resolve(schema: Schema, { components }: Document): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}

function renderFields({ properties, required = [] }: Schema): string {
  if (properties === undefined) return ''
  return table(Object.entries(properties).map(([name, schema]) => row(name, schema, required.includes(name))))
}

const table = (rows: string[]): string => `<table><tbody>${rows.join('')}</tbody></table>`

function row(name: string, schema: Schema, required: boolean, location?: string): string {
  const { items, ...own } = withoutNull(schema)
  const each = items === undefined ? '' : describe(withoutNull(items))
  const text = describe(own) + (each === '' ? '' : ` each: ${each}`) + renderFields(withoutNull(items ?? own))
  return `<tr><td><code>${escapeHtml(name)}</code>${required ? '<sup title="required">*</sup>' : ''}${location === undefined ? '' : `<small>${location}</small>`}</td>
<td class="type">${renderType(schema)}</td><td>${text}</td></tr>`
}

const describe = (schema: Schema): string => prose(schema.description ?? '') + limits(schema)

/** Returns the non-null alternative of a nullable schema. */
function withoutNull(schema: Schema): Schema {
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return more.length > 0 ? schema : { ...only, ...schema }
}

function renderType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(renderType).join(' or ')
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`
  if (schema.type === 'array') return `list of ${renderType(schema.items ?? {})}`
  if (schema.additionalProperties !== undefined) return `map to ${renderType(schema.additionalProperties)}`
  return escapeHtml(schema.type ?? 'any')
}

function limits(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: byDefault } = schema
  const parts = [
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `to ${maximum}`,
    minLength === undefined || minLength < 2 ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    minItems === undefined ? '' : `at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`,
    maxItems === undefined ? '' : `at most ${maxItems} entries`,
    byDefault === undefined ? '' : `default ${String(byDefault)}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` <small>${escapeHtml(parts.join(', '))}</small>`
}
