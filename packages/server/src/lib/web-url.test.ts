import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWebUrl, ciLinkUrl, repositoryWebUrl } from './web-url.ts'

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

for (const [remote, url] of Object.entries({
  'https://github.com/acme/app.git': 'https://github.com/acme/app.git',
  'git@github.com:acme/app.git': 'https://github.com/acme/app',
  'ssh://git@gitlab.example.com:2222/group/sub/app.git': 'https://gitlab.example.com/group/sub/app',
  'git://example.com/app': 'https://example.com/app',
  'https://gitlab-ci-token:glcbt-64_x@gitlab.example.com/g/app.git': 'https://gitlab.example.com/g/app.git',
  'https://git@github.com/acme/app': 'https://github.com/acme/app',
})) {
  const name =
    remote === url
      ? `accepts the repository address ${remote} unchanged`
      : `converts the repository address ${remote} to ${url}`
  test(name, () => assert.equal(repositoryWebUrl(remote), url))
}

for (const remote of [
  'svn://svn.example.com/app/trunk',
  'svn+ssh://me@svn.example.com/app',
  'perforce.example.com:1666///depot/app',
  'ssl:perforce.example.com:1666//depot/app/main',
  '//depot/app/main',
  'perforce://perforce:1666/depot',
  ':pserver:me@cvs.example.com:/cvsroot',
  'bzr+ssh://bazaar.example.com/app',
])
  test(`returns null for the repository address ${remote}, which has no web URL`, () =>
    assert.equal(repositoryWebUrl(remote), null))

for (const [text, link] of [
  ['https://ci.example.com/job/app/12/', 'https://ci.example.com/job/app/12/'],
  ['https://me:secret@ci.example.com/job?a=b#c', 'https://ci.example.com/job?a=b#c'],
  ['job/app/12/', null],
  ['/job/a%20b/12/', null],
  ['javascript:alert(1)//x/', undefined],
  ['//evil.example.com/x', undefined],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,/', undefined],
  ['not a url', undefined],
  ['example.com', undefined],
] as const) {
  const name =
    link === undefined
      ? `rejects ${JSON.stringify(text)} as a CI link`
      : link === null
        ? `returns null for the relative CI link ${text}`
        : link === text
          ? `accepts the CI link ${text} unchanged`
          : `converts the CI link ${text} to ${link}`
  test(name, () => assert.equal(ciLinkUrl(text), link))
}

for (const invalid of [
  '',
  'acme/app',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:x',
  'ftp://example.com/app',
  'git@:x',
]) {
  test(`rejects ${JSON.stringify(invalid)} as a repository address`, () =>
    assert.equal(repositoryWebUrl(invalid), undefined))
}
