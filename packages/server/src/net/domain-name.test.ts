import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDomainName } from './domain-name.ts'

for (const [text, name] of [
  ['builds.example.com', 'builds.example.com'],
  [' Builds.Example.COM. ', 'builds.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['a-b.c0.example', 'a-b.c0.example'],
  ['faß.de', 'xn--fa-hia.de'],
] as const) {
  const outcome = text === name ? 'accepts' : `converts ${JSON.stringify(text)} to`
  test(`${outcome} the domain name ${name}`, () => {
    assert.equal(readDomainName(text), name)
  })
}

for (const text of [
  '',
  '.',
  'localhost',
  'example',
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  'a..example.com',
  '.example.com',
  'example.com..',
  '-a.example.com',
  'a_b.example.com',
  '*.example.com',
  'https://example.com',
  'example.com/path',
  'example.com:8080',
  'user@example.com',
  'exam%70le.com',
  'example.com\nx',
  'example.123',
]) {
  test(`rejects ${JSON.stringify(text)} as a domain name`, () => {
    assert.equal(readDomainName(text), undefined)
  })
}

for (const [description, text] of Object.entries({
  'a label of 64 characters': `${'a'.repeat(64)}.example.com`,
  '243 characters': `${'a.'.repeat(120)}com`,
})) {
  test(`rejects a domain name with ${description}`, () => {
    assert.equal(readDomainName(text), undefined)
  })
}
