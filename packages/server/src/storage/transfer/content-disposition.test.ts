import assert from 'node:assert/strict'
import { validateHeaderValue } from 'node:http'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { attachmentDisposition, safeContentType } from './content-disposition.ts'

describe('Content-Disposition', () => {
  const table: [string, string, string][] = [
    ['letters and a dot', 'app.apk', 'attachment; filename="app.apk"'],
    ['spaces and parentheses', 'my app (1).ipa', 'attachment; filename="my app (1).ipa"'],
    [
      'a quotation mark and a backslash',
      'a"b\\c.apk',
      `attachment; filename="a_b_c.apk"; filename*=UTF-8''a%22b%5Cc.apk`,
    ],
    ['a percent sign', '100%.apk', `attachment; filename="100_.apk"; filename*=UTF-8''100%25.apk`],
    [
      'non-ASCII Latin letters',
      'größe.apk',
      `attachment; filename="gr__e.apk"; filename*=UTF-8''gr%C3%B6%C3%9Fe.apk`,
    ],
    [
      'an apostrophe, Japanese characters and an asterisk',
      "it's 東京*.apk",
      `attachment; filename="it's __*.apk"; filename*=UTF-8''it%27s%20%E6%9D%B1%E4%BA%AC%2A.apk`,
    ],
    [
      'a line break',
      'a\r\nset-cookie: x',
      `attachment; filename="a__set-cookie: x"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x`,
    ],
    ['directional formatting', 'app\u202egpj.exe', 'attachment; filename="app_gpj.exe"'],
    ['an unpaired surrogate', '\ud800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ]
  for (const [description, name, header] of table) {
    test(`encodes a file name that contains ${description}`, () =>
      assert.equal(attachmentDisposition(name), header))
  }

  test('returns a valid header that preserves any file name except for directional formatting', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = attachmentDisposition(name)
        validateHeaderValue('content-disposition', header)
        const [, encoded] = /filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(header) ?? []
        const [, plain] = /^attachment; filename="([^"\\]*)"/.exec(header) ?? []
        const expected = name.toWellFormed().replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '_')
        assert.equal(encoded === undefined ? plain : decodeURIComponent(encoded), expected)
      }),
    )
  })

  test('replaces an invalid media type with application/octet-stream', () => {
    assert.equal(
      safeContentType('application/vnd.android.package-archive'),
      'application/vnd.android.package-archive',
    )
    assert.equal(safeContentType('text/plain; charset=utf-8'), 'text/plain; charset=utf-8')
    for (const invalid of ['', 'text', 'a/b\r\nx: y', 'a/b, c/d', 'ä/b'])
      assert.equal(safeContentType(invalid), 'application/octet-stream')
  })

  test('uses application/octet-stream for media types that browsers execute or render', () => {
    const active = [
      'text/html',
      'text/html; charset=utf-8',
      'Text/HTML',
      'application/xhtml+xml',
      'text/javascript',
      'application/javascript',
      'application/x-javascript',
      'application/ecmascript',
      'text/jscript',
      'text/xml',
      'application/xml',
      'application/rss+xml',
      'text/xsl',
      'image/svg+xml',
      'application/wasm',
      'text/css',
      'application/pdf',
      'application/manifest+json',
      'application/x-shockwave-flash',
      'application/x-xpinstall',
      'multipart/x-mixed-replace',
      'message/rfc822',
      'text/x-python',
    ]
    for (const type of active) assert.equal(safeContentType(type), 'application/octet-stream', type)
    for (const type of ['application/zip', 'image/png', 'application/java-archive', 'application/json'])
      assert.equal(safeContentType(type), type)
  })
})
