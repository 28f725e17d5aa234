import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from './failure.ts'
import { parseServerUrl } from './server-url.ts'

test('uses http for localhost and for private hosts with a port, and https otherwise', () => {
  const table: [string, string][] = [
    ['localhost:4400', 'http://localhost:4400'],
    ['localhost', 'http://localhost'],
    ['app.localhost:8080', 'http://app.localhost:8080'],
    ['127.0.0.1:4400', 'http://127.0.0.1:4400'],
    ['[::1]:4400', 'http://[::1]:4400'],
    ['192.168.1.20:4400', 'http://192.168.1.20:4400'],
    ['172.20.0.2:4400', 'http://172.20.0.2:4400'],
    ['[fd12::1]:4400', 'http://[fd12::1]:4400'],
    ['buildbox:4400', 'http://buildbox:4400'],
    ['nas.local:4400', 'http://nas.local:4400'],
    ['buildbox', 'https://buildbox'],
    ['buildbox:443', 'https://buildbox'],
    ['172.32.0.2:4400', 'https://172.32.0.2:4400'],
    ['builds.example.com', 'https://builds.example.com'],
    ['builds.example.com:8443', 'https://builds.example.com:8443'],
    ['http://builds.example.com', 'http://builds.example.com'],
    ['https://localhost:4400', 'https://localhost:4400'],
  ]
  for (const [text, url] of table) assert.equal(parseServerUrl(text), url, text)
})

test('removes trailing slashes and any path from /api/v1 onward', () => {
  for (const path of ['', '/', '/api/v1', '/api/v1/', '/api/v1/docs', '/api/v1/docs#builds'])
    assert.equal(parseServerUrl(`https://builds.example.com${path}`), 'https://builds.example.com', path)
  assert.equal(parseServerUrl('https://example.com/quayside/api/v1'), 'https://example.com/quayside')
})

test('rejects text that is not an HTTP URL', () => {
  for (const text of ['', 'ftp://builds.example.com', 'https://', 'two words', 'https://user:pw@example.com'])
    assert.throws(() => parseServerUrl(text), Failure, text)
})
