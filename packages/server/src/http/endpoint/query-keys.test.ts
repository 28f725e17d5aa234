import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { sendRaw } from '../../../test/raw-socket.ts'

let service: Service
let tenant: Tenant
before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const list = (query: string, path = 'builds') =>
  service.call('GET', `/applications/${tenant.applicationId}/${path}?${query}`, { key: tenant.workspaceKey })

describe('query parameters', () => {
  for (const [query, key, intended] of [
    ['label=x', 'label', 'labels'],
    ['streem=x', 'streem', 'streams'],
    ['stream=x', 'stream', 'streams'],
    ['labels[]=x&labels[]=y', 'labels', 'labels'],
    ['labels%5B0%5D=x', 'labels', 'labels'],
    ['label[]=x', 'label', 'labels'],
    ['pgae=2', 'pgae', 'page'],
    ['page[size]=5', 'page', 'page'],
    ['perPage=5', 'perPage', 'per_page'],
    ['createdAfter=2026-11-21', 'createdAfter', 'created_after'],
    ['sort-by=version', 'sort-by', 'sort_by'],
  ] as const) {
    test(`rejects ?${query} and suggests \`${intended}\``, async () => {
      const { status, body } = await list(query)
      assert.equal(status, 422)
      assert.deepEqual(Object.keys(body.errors), [key])
      assert.ok(body.errors[key][0].includes(`\`${intended}\``), body.errors[key][0])
      assert.ok(body.message.includes(`\`${intended}\``), body.message)
    })
  }

  test('ignores unknown parameters that are not likely misspellings and lists them in the message', async () => {
    for (const [path, message] of [
      ['builds', 'Builds retrieved.'],
      ['streams', 'Streams retrieved.'],
    ] as const) {
      assert.equal((await list('', path)).body.message, message)
      const { status, body } = await list('utm_source=mail&_=17&__proto__=x&x%00=1', path)
      assert.equal(status, 200)
      assert.equal(
        body.message,
        `${message} Ignored unknown query parameters: \`utm_source\`, \`_\`, \`__proto__\`, \`x\0\`.`,
      )
    }
    const { body } = await list('zebra=1')
    assert.equal(body.message, 'Builds retrieved. Ignored unknown query parameter: `zebra`.')
  })

  test('returns 404 for a missing application before it validates query parameters', async () => {
    const { status } = await service.call('GET', '/applications/none/builds?label=x', {
      key: tenant.workspaceKey,
    })
    assert.equal(status, 404)
  })

  test('suggests %2B when the plus sign of a UTC offset was decoded as a space', async () => {
    const { status, body } = await list('created_after=2026-11-21T00:00:00+01:00')
    assert.equal(status, 422)
    assert.match(body.errors.created_after[0], /Write the \+ of the UTC offset as %2B\./)
    assert.equal((await list('created_after=2026-11-21T00:00:00%2B01:00')).status, 200)
    assert.doesNotMatch((await list('created_after=now')).body.errors.created_after[0], /%2B/)
  })
})

describe('error responses', () => {
  test('lists the accepted fields in the error for a PATCH without any known field', async () => {
    const path = `/applications/${tenant.applicationId}`
    for (const body of [{}, { nmae: 'x' }]) {
      const response = await service.call('PATCH', path, { key: tenant.workspaceKey, body })
      assert.equal(response.status, 422)
      assert.match(
        response.body.errors.body[0],
        /^must contain at least one of these fields: name, description/,
      )
      assert.match(response.body.message, /The body must contain at least one of these fields/)
    }
  })

  test('returns a request ID for a path that cannot be decoded', async () => {
    const request = 'GET /api/v1/applications/%ff HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { text, body } = await sendRaw(service.port, [request], { maxResponses: 1 })
    assert.match(text, /^HTTP\/1\.1 400 /)
    const id = /\r\nx-request-id: (\S+)\r\n/i.exec(text)?.[1]
    assert.equal(JSON.parse(body).request_id, id)
    assert.match(text, /\r\nx-content-type-options: nosniff\r\n/i)
  })

  test('disables content sniffing in all responses and forbids framing of the API reference', async () => {
    for (const path of ['/workspace', '/nowhere', '/openapi.json'])
      assert.equal((await service.call('GET', path)).headers.get('x-content-type-options'), 'nosniff')
    const { headers } = await service.call('GET', '/docs')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })
})
