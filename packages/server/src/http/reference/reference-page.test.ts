import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookEvents } from '../../features/webhooks/webhook-events.ts'
import { routes } from '../../routes.ts'
import { openApiDocument } from './openapi.ts'
import { referencePage } from './reference-page.ts'

const document = openApiDocument(routes, webhookEvents, '1.0.0')
const page = referencePage(document)
const plain = (text: string): string => text.replaceAll('`', '').replaceAll(/\s+/g, ' ')
const text = plain(
  page
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
)

/** Yields every description of a field or parameter. */
function* descriptions(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'description' && typeof inner === 'string') yield inner
    else yield* descriptions(inner)
  }
}

test('includes the description of every field and parameter in the reference page', () => {
  const { paths, components } = document as { paths: object; components: { schemas: object } }
  const requests = Object.values(paths)
    .flatMap((methods: object) => Object.values(methods))
    .map(({ parameters, requestBody }) => ({ parameters, requestBody }))
  const expected = [...descriptions(requests), ...descriptions(components.schemas)]
  assert.deepEqual(
    expected.filter((description) => !text.includes(plain(description))),
    [],
  )
  assert.ok(expected.length > 500)
})

test('shows length limits for nullable fields and list entries in the reference page', () => {
  const [, webhook = ''] = /<article id="createWebhook">(.*?)<\/article>/s.exec(page) ?? []
  assert.match(
    webhook,
    /which are the key themselves\. <small>at least 8 characters, at most 255 characters<\/small>/,
  )
  const [, labels = ''] = /<article id="replaceBuildLabels">(.*?)<\/article>/s.exec(page) ?? []
  assert.match(labels, /<small>at most 10 entries<\/small> each: .* <small>at most 50 characters<\/small>/)
})

test('shows an example response with every field for each operation that returns JSON', () => {
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, never>>))
    for (const operation of Object.values<{
      operationId: string
      responses: Record<string, { content?: Record<string, { schema?: object }> }>
    }>(methods)) {
      const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
      // Files in JSON, such as badges and exports, have no schema.
      if (success?.content?.['application/json']?.schema === undefined) continue
      const [, article = ''] =
        new RegExp(`<article id="${operation.operationId}">(.*?)</article>`, 's').exec(page) ?? []
      const [, markup = ''] = /<div class="response">.*?<code>(.*?)<\/code>/s.exec(article) ?? []
      const example = markup.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      assert.ok(Object.keys(JSON.parse(example) as object).length > 0, path)
    }
  const [, list = ''] = /<article id="listBuilds">(.*?)<\/article>/s.exec(page) ?? []
  assert.match(list, /created_at&#34;: &#34;2026-11-21T02:40:11\.123456Z/)
})
