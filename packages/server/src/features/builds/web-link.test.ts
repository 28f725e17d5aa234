import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimeMs } from '../../../test/cpu-time.ts'
import { isCut, reportedText } from '../../lib/reported-text.ts'
import { webLink } from './web-link.ts'

/** Addresses as CI systems report them, and the resulting links. */
const links: readonly (readonly [reported: string, link: string | null])[] = [
  ['https://github.com/acme/app', 'https://github.com/acme/app'],
  ['https://github.com/acme/app.git', 'https://github.com/acme/app.git'],
  ['https://github.com/acme/app.git/commit/cafe', 'https://github.com/acme/app/commit/cafe'],
  ['HTTP://CI.example.com/Job/12', 'http://ci.example.com/Job/12'],
  ['http://jenkins:8080/job/my%20app/12/', 'http://jenkins:8080/job/my%20app/12/'],
  ['https://[2001:db8::1]:8443/job/12/', 'https://[2001:db8::1]:8443/job/12/'],
  ['git+https://gitlab.com/acme/app.git', 'https://gitlab.com/acme/app.git'],
  ['git@github.com:acme/app.git', 'https://github.com/acme/app'],
  ['git@github.com:acme/app/commit/cafe', 'https://github.com/acme/app/commit/cafe'],
  ['git@github.com:acme/app.git/commit/cafe', 'https://github.com/acme/app/commit/cafe'],
  ['ssh://git@github.com/acme/app.git', 'https://github.com/acme/app'],
  ['ssh://git@ssh.github.com:443/acme/app.git', 'https://github.com/acme/app'],
  ['git+ssh://git@github.com/acme/app.git', 'https://github.com/acme/app'],
  ['git@gitlab.example.com:group/sub/app.git', 'https://gitlab.example.com/group/sub/app'],
  ['ssh://git@gitlab.example.com:2222/group/sub/app.git', 'https://gitlab.example.com/group/sub/app'],
  ['git@bitbucket.org:acme/app/commit/cafe', 'https://bitbucket.org/acme/app/commits/cafe'],
  ['ssh://git@stash.example.com:7999/ABC/app.git', 'https://stash.example.com/projects/ABC/repos/app/browse'],
  ['ssh://git@stash.example.com:7999/~ann/app.git', 'https://stash.example.com/users/ann/repos/app/browse'],
  ['git@ssh.dev.azure.com:v3/acme/My%20Project/app', 'https://dev.azure.com/acme/My%20Project/_git/app'],
  ['acme@vs-ssh.visualstudio.com:v3/acme/project/app', 'https://acme.visualstudio.com/project/_git/app'],
  ['gitea@git.example.com:acme/app.git', 'https://git.example.com/acme/app'],
  ['git://git.example.com/acme/app', 'https://git.example.com/acme/app'],
  ['github.com/acme/app', 'https://github.com/acme/app'],
  ['', null],
  ['unknown', null],
  ['n/a', null],
  ['acme/app', null],
  ['job/app/12/', null],
  ['/var/lib/jenkins/workspace/app', null],
  ['../app', null],
  ['C:\\repo\\app', null],
  ['C:/repo/app', null],
  ['\\\\server\\share\\app', null],
  ['//depot/main', null],
  ['file:///srv/git/app.git', null],
  ['file://server/share/app', null],
  ['deploy@build.internal:/srv/git/app.git', null],
  ['deploy@build.internal:app.git', null],
  ['ssh://deploy@build.internal/srv/git/app.git', null],
  ['git@localhost:acme/app.git', null],
  ['git@10.0.0.1:acme/app.git', null],
  ['git@github.com:../../login', null],
  ['svn://svn.example.com/app/trunk', null],
  ['svn+ssh://me@svn.example.com/app', null],
  ['perforce:1666', null],
  ['ssl:perforce.example.com:1666//depot/app/main', null],
  ['perforce.example.com:1666///depot/app', null],
  [':pserver:me@cvs.example.com:/cvsroot', null],
  ['bzr+ssh://bazaar.example.com/app', null],
  ['ftp://example.com/app', null],
  ['javascript:alert(1)', null],
  ['javascript://github.com/%0aalert(1)', null],
  ['java\nscript:alert(1)', null],
  ['data:text/html,<script>alert(1)</script>', null],
  ['vbscript:msgbox(1)', null],
  ['https://', null],
  ['https:///etc/passwd', null],
  ['https:\\\\evil.example.com', null],
  ['http://[::1', null],
  ['https://exa mple.com/', null],
]

for (const [reported, link] of links)
  test(`creates ${link === null ? 'no' : 'a'} link for the reported address ${JSON.stringify(reported)}`, () =>
    assert.equal(webLink(reportedText(reported, 2000)), link))

for (const [reported, text] of [
  ['https://gitlab-ci-token:glcbt-64_x@gitlab.example.com/g/app.git', 'https://gitlab.example.com/g/app.git'],
  ['https://ghp_token@github.com/acme/app', 'https://github.com/acme/app'],
  ['https://me:with/slash@ci.example.com/job', 'https://ci.example.com/job'],
  ['http://me:p@ss@ci.example.com:8080/job', 'http://ci.example.com:8080/job'],
  ['ssh://me:secret@git.example.com/app', 'ssh://me@git.example.com/app'],
  ['svn://me:secret@svn.example.com/app', 'svn://me@svn.example.com/app'],
  [':pserver:me:secret@cvs.example.com:/cvsroot', ':pserver:me@cvs.example.com:/cvsroot'],
  ['oauth2:glpat-x@gitlab.com/acme/app.git', 'gitlab.com/acme/app.git'],
  ['clone of https://me:secret@example.com/app', 'clone of https://example.com/app'],
  ['https://ci.example.com/job?access_token=x&tab=log#end', 'https://ci.example.com/job?tab=log#end'],
  ['https://ci.example.com/job?tab=log&private_token=x', 'https://ci.example.com/job?tab=log'],
  ['https://s3.example.com/log?X-Amz-Credential=a&X-Amz-Signature=b', 'https://s3.example.com/log'],
] as const)
  test(`removes credentials from ${reported}`, () => assert.equal(reportedText(reported, 2000), text))

for (const reported of [
  'https://example.com:8080/path@v1?tab=a&b#c',
  'https://example.com/?',
  'git@github.com:acme/app.git',
  'npm:lodash@4.17',
  'C:\\builds\\app@2\\job',
  'Deploy: web@1.2 #7?',
])
  test(`leaves the reported text ${JSON.stringify(reported)} unchanged`, () =>
    assert.equal(reportedText(reported, 2000), reported))

test('converts any reported JSON value to text without control characters', () => {
  assert.deepEqual(
    [12, 1.5, true, ['a', 1], { a: 'b' }, null].map((value) => reportedText(value, 100)),
    ['12', '1.5', 'true', '["a",1]', '{"a":"b"}', 'null'],
  )
  assert.equal(reportedText(' a\u0000b\u007f\r\n\tc\u202e\ud800 ', 100), 'ab c')
  assert.equal(reportedText('e\u0301', 100), '\u00e9')
})

test('truncates long text with an ellipsis and does not convert it to a link', () => {
  const cut = reportedText(`https://example.com/${'x'.repeat(5000)}`, 2000)
  assert.equal(Array.from(cut).length, 2000)
  assert.ok(isCut(cut))
  assert.equal(webLink(cut), null)
  assert.equal(reportedText('😀'.repeat(10), 10), '😀'.repeat(10))
  assert.equal(reportedText('😀'.repeat(11), 10), `${'😀'.repeat(9)}…`)
})

test('converts arbitrary text to storable text and a web link or null, within 2 s for malicious input', () => {
  const check = (text: string) => {
    const reported = reportedText(text, 300)
    assert.ok(Array.from(reported).length <= 300 && reported.isWellFormed() && !/\p{Cc}/u.test(reported))
    assert.equal(reportedText(reported, 300), reported)
    const link = webLink(reported)
    if (link !== null) assert.ok(/^https?:\/\/[^/]/.test(link) && new URL(link).username === '', link)
  }
  const piece = fc.constantFrom(
    'git@',
    'https://',
    'ssh://',
    'a',
    ':',
    '/',
    '@',
    '?token=x',
    '\\',
    '.',
    '..',
    '#',
    '7999',
    '\u0000',
    'github.com',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece).map((all) => all.join('')),
      ),
      check,
    ),
    { numRuns: 3000 },
  )
  const started = cpuTimeMs()
  for (const part of [
    '@',
    ':',
    '/',
    'https://',
    'https://a:',
    'ssh://a:b',
    'a:',
    'a.',
    '?token=',
    'a@',
    '.git/commit/',
    ' ',
  ])
    check(part.repeat(200_000))
  assert.ok(cpuTimeMs() - started < 2000)
})
