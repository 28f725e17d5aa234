import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { readConfig } from '../config/config.ts'
import { siteFiles } from './site-files.ts'

const clock = { now: () => new Date('2026-11-23T10:20:30Z') }

async function siteWith(environment: Record<string, string>) {
  const api = fastify()
  await api.register(
    siteFiles(readConfig({ QUAYSIDE_PUBLIC_URL: 'https://builds.example.com/ci', ...environment }), clock),
  )
  return api
}

test('lists the contacts for security problems with a time until which they are valid', async () => {
  const api = await siteWith({
    QUAYSIDE_SECURITY_CONTACT: 'security@example.com, https://example.com/security',
  })
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode, headers, body } = await api.inject({ method, url: '/.well-known/security.txt' })
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8'])
    if (method === 'GET')
      assert.equal(
        body,
        'Contact: mailto:security@example.com\nContact: https://example.com/security\nExpires: 2027-05-22T00:00:00.000Z\nCanonical: https://builds.example.com/ci/.well-known/security.txt\n',
      )
  }
})

test('rejects contacts that would not be valid in security.txt', () => {
  for (const contact of [
    'http://example.com',
    'security',
    'https://exa mple.com',
    'mailto:a@b.example\u2028Expires:',
    'javascript:alert(1)',
  ])
    assert.throws(
      () => readConfig({ QUAYSIDE_SECURITY_CONTACT: contact }),
      /QUAYSIDE_SECURITY_CONTACT must be/,
      contact,
    )
})

test('lets crawlers load only share pages and images', async () => {
  const { body } = await (await siteWith({})).inject('/robots.txt')
  assert.match(body, /^User-agent: \*\n(Allow: \/ci\/\S+\n)+Disallow: \/ci\/\n$/)
  assert.ok(body.includes('Allow: /ci/s/\n') && body.includes('Allow: /ci/api/v1/public/\n'))
})
