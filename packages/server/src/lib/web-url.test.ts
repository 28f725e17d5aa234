import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWebUrl, repositoryWebUrl } from './web-url.ts'

test('only absolute http and https URLs are web URLs', () => {
  for (const good of ['https://example.com', 'HTTP://example.com/a?b#c', 'http://[::1]:80/'])
    assert.ok(isWebUrl(good), good)
  for (const bad of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.com',
    'example.com',
    ' https://x',
    'https://',
    'ftp://x',
  ])
    assert.ok(!isWebUrl(bad), bad)
})

for (const [remote, url] of Object.entries({
  'https://github.com/acme/app.git': 'https://github.com/acme/app.git',
  'git@github.com:acme/app.git': 'https://github.com/acme/app',
  'ssh://git@gitlab.example.com:2222/group/sub/app.git': 'https://gitlab.example.com/group/sub/app',
  'git://example.com/app': 'https://example.com/app',
})) {
  test(`the repository ${remote}, known as ${url}`, () => assert.equal(repositoryWebUrl(remote), url))
}

for (const bad of [
  '',
  'acme/app',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:x',
  'ftp://example.com/app',
  'git@:x',
]) {
  test(`${JSON.stringify(bad)}, no repository`, () => assert.equal(repositoryWebUrl(bad), undefined))
}
