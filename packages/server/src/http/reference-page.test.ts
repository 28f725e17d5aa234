import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../routes.ts'
import { openApiDocument } from './openapi.ts'
import { referencePage } from './reference-page.ts'

const document = openApiDocument(routes, '1.0.0')
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
    /Secret that is used to sign each request\. <small>at least 8 characters, at most 255 characters<\/small>/,
  )
  const [, labels = ''] = /<article id="replaceBuildLabels">(.*?)<\/article>/s.exec(page) ?? []
  assert.match(labels, /<small>at most 10 entries<\/small> each: .* <small>at most 50 characters<\/small>/)
})
