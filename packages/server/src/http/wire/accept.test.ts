import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsHtml, isNavigation, isPrefetch, prefersHtml } from './accept.ts'

for (const [expected, accept] of [
  [true, 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'],
  [true, 'TEXT/HTML; q=0.8'],
  [false, '*/*'],
  [false, undefined],
  [false, ''],
  [false, 'application/json'],
  [false, 'application/json, text/html;q=0.9'],
  [false, 'text/html;q=0, */*'],
  [false, 'text/html;q=x'],
] as const)
  test(`${expected ? 'prefers' : 'does not prefer'} HTML for the Accept header ${accept}`, () => {
    assert.equal(prefersHtml(accept), expected)
  })

for (const [expected, accept] of [
  [true, 'text/html'],
  [true, '*/*'],
  [true, 'image/webp, text/*;q=0.1'],
  [true, undefined],
  [true, ''],
  [false, 'application/json'],
  [false, 'application/json, text/plain, */*'],
  [false, 'image/*'],
  [false, '*/*;q=0'],
] as const)
  test(`${expected ? 'accepts' : 'does not accept'} HTML with the Accept header ${accept}`, () => {
    assert.equal(acceptsHtml(accept), expected)
  })

test('recognizes prefetch requests of browsers', () => {
  for (const headers of [
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ])
    assert.equal(isPrefetch(headers), true)
  assert.equal(isPrefetch({ accept: 'text/html' }), false)
})

test('treats only requests that a browser sends for a page as navigation', () => {
  const headers = { accept: 'text/html' }
  for (const method of ['GET', 'HEAD', 'POST']) assert.equal(isNavigation({ method, headers }), true)
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'UNBIND', undefined])
    assert.equal(isNavigation({ method, headers }), false)
  assert.equal(isNavigation({ method: 'GET', headers: { ...headers, authorization: 'Bearer x' } }), false)
  assert.equal(isNavigation({ method: 'GET', headers: { accept: '*/*' } }), false)
})
