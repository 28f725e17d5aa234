import { escapeHtml } from '../../lib/html.ts'
import { cliExample } from './reference-cli.ts'
import { resolve, type Operation, type ReferenceDocument } from './reference-document.ts'
import { curlExample } from './reference-example.ts'
import { fieldList, prose, renderField, renderFields } from './reference-fields.ts'
import { responseExample } from './reference-response.ts'
import { sdkExample } from './reference-sdk.ts'

/** An operation with its place in the document. */
export type PlacedOperation = { path: string; method: string; operation: Operation }

export type ExampleLanguage = 'curl' | 'sdk' | 'cli'

/** Renders the description of an operation and its examples. */
export function renderOperation(placed: PlacedOperation, document: ReferenceDocument): string {
  const { path, method, operation } = placed
  const { operationId, summary, description, parameters, requestBody } = operation
  const rows = parameters.map(({ name, in: location, required, schema, description: text }) =>
    renderField({
      name,
      schema: { ...schema, ...(text === undefined ? {} : { description: text }) },
      isRequired: required,
      id: `${operationId}.${name}`,
      location,
    }),
  )
  const body = requestBody?.content['application/json']?.schema
  return `<article id="${operationId}"><div><h3>${escapeHtml(summary)}${anchorLink(operationId)}</h3>
<p class="request"><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></p>
<p class="badges">${renderBadges(operation)}</p>${description === undefined ? '' : `<p>${prose(description)}</p>`}
${rows.length === 0 ? '' : `<h4>Parameters</h4>${fieldList(rows)}`}
${body === undefined ? '' : `<h4>Body</h4>${renderFields(resolve(body, document), `${operationId}.body`)}`}
${renderResponses(operation, document)}</div>
<div class="example">${renderExamples(examplesOf(placed, document))}${renderResponseExample(operation, document)}</div></article>`
}

/** Renders an example of the successful response, if it is JSON. */
function renderResponseExample({ responses }: Operation, document: ReferenceDocument): string {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const schema = response?.content?.['application/json']?.schema
  if (schema === undefined) return ''
  const text = responseExample(schema, (each) => resolve(each, document))
  return `<div class="response"><p>Response <span class="s2">${status}</span></p><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>`
}

/** Renders the link that a heading shows when the pointer is over it. */
export const anchorLink = (id: string): string =>
  `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`

/** Renders one code block for each language. The style shows the one that is selected in the header. */
export const renderExamples = (examples: Record<ExampleLanguage, string>): string =>
  Object.entries(examples)
    .map(([language, text]) => `<pre class="${language}" tabindex="0"><code>${withValues(text)}</code></pre>`)
    .join('')

/** Escapes an example and marks the variables that the script of the page replaces with the values of the reader. */
const withValues = (text: string): string =>
  escapeHtml(text).replaceAll(
    /\$([A-Z_]+)|&#60;(\w+)&#62;/g,
    (token, variable: string | undefined, field: string | undefined) =>
      `<var data-name="${variable?.toLowerCase() ?? field}">${token}</var>`,
  )

function examplesOf(
  { path, method, operation }: PlacedOperation,
  document: ReferenceDocument,
): Record<ExampleLanguage, string> {
  const { operationId, parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  const request = { operationId, method, path, isPublic: operation['x-scope'] === 'public', body }
  const find = (schema: Parameters<typeof resolve>[0]) => resolve(schema, document)
  const requiredQuery = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => name)
  const isStream = responses['200']?.content?.['text/event-stream'] !== undefined
  return {
    curl: curlExample(request, find),
    sdk: sdkExample({ ...request, requiredQuery, isStream }, find),
    cli: cliExample(request, find),
  }
}

function renderBadges(operation: Operation): string {
  const budget = `<span>rate limit <a href="#guide-rate-limits">${operation['x-rate-limit']}</a></span>`
  return [...scopeBadges(operation['x-scope']).map((badge) => `<span>${badge}</span>`), budget].join(' ')
}

function scopeBadges(scope: Operation['x-scope']): string[] {
  if (scope === 'public') return ['no key required']
  if (scope === 'session') return ['session required']
  const { workspace, application } = scope
  const format = (name: string | null) => (name === null ? 'any scope' : `<code>${name}</code>`)
  return [
    `workspace key ${format(workspace)}`,
    `application key ${application === false ? 'not allowed' : format(application)}`,
  ]
}

function renderResponses({ operationId, responses }: Operation, document: ReferenceDocument): string {
  const list = Object.entries(responses).map(([status, { $ref, description: own, content }]) => {
    const schema = content?.['application/json']?.schema
    const shared =
      $ref === undefined ? undefined : document.components.responses[$ref.split('/').at(-1) ?? '']
    const text =
      schema === undefined
        ? prose(own ?? shared?.description ?? '')
        : renderFields(resolve(schema, document), `${operationId}.response`)
    return `<dt class="s${status[0]}">${status}</dt><dd>${text}</dd>`
  })
  return `<details><summary>Responses</summary><dl>${list.join('')}</dl></details>`
}
