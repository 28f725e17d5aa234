import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWebUrl } from './web-url.ts'

test('accepts only absolute http and https URLs as web URLs', () => {
  for (const valid of ['https://example.com', 'HTTP://example.com/a?b#c', 'http://[::1]:80/'])
    assert.ok(isWebUrl(valid), valid)
  for (const invalid of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.com',
    'example.com',
    ' https://x',
    'https://',
    'ftp://x',
  ])
    assert.ok(!isWebUrl(invalid), invalid)
})
