import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followsFrom, requireSafeUrl } from './probe-file.ts'

const service = new URL('https://gitlab.example.com/api/v4')

test('accepts the URLs of files on the service and on other public hosts', () => {
  for (const url of ['https://gitlab.example.com/a.zip', 'http://files.example.net/a.zip', '/uploads/a.zip'])
    assert.equal(requireSafeUrl(url, service).href, new URL(url, service).href)
  assert.equal(
    requireSafeUrl('http://10.0.0.9/a.zip', new URL('http://git.local:3000')).href,
    'http://10.0.0.9/a.zip',
  )
})

test('rejects URLs that are not of the web or that only this computer can reach', () => {
  const table: [string | null, RegExp][] = [
    ['ftp://files.example.net/a.zip', /starts with ftp:/],
    ['file:///etc/passwd', /starts with file:/],
    ['http://169.254.169.254/latest/meta-data', /local address 169\.254\.169\.254/],
    ['http://localhost:8080/a.zip', /local address localhost:8080/],
    ['http://[::1]/a.zip', /local address/],
    ['http://2130706433/a.zip', /local address 127\.0\.0\.1/],
    ['http://[::ffff:127.0.0.1]/a.zip', /local address/],
    ['http://', /no valid URL/],
    [null, /no valid URL/],
  ]
  for (const [url, message] of table) assert.throws(() => requireSafeUrl(url, service), message, String(url))
})

test('follows redirects to a local host only from a local one', () => {
  const table: [string, string, boolean][] = [
    ['https://files.example.net', 'https://cdn.example.org', true],
    ['https://files.example.net', 'http://169.254.169.254', false],
    ['http://10.0.0.9', 'http://nas', true],
  ]
  for (const [from, to, follows] of table) assert.equal(followsFrom(new URL(from))(new URL(to)), follows, to)
})
