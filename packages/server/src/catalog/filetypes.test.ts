import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  acceptedExtensions,
  acceptedExtensionsText,
  acceptsUnknown,
  filetypeFor,
  filetypeResource,
  filetypes,
  findFiletype,
  initialProcessing,
  type Filetype,
} from './filetypes.ts'
import { findPlatform, platforms, platformSlugs } from './platforms.ts'

/** Evaluates the rule directly on the catalog data, without an index. */
const isAccepted = (filetype: Filetype, platform: string): boolean =>
  filetype.platforms.includes(platform) ||
  platform === 'generic' ||
  (filetype.isGeneric && findPlatform(platform)?.acceptsGenericFiletypes === true)

function expectedType(platform: string, filename: string): Filetype | undefined {
  const name = filename.toLowerCase()
  const matching = filetypes
    .filter(({ extension }) => extension !== null && name.slice(1).endsWith(`.${extension}`))
    .toSorted((a, b) => (b.extension?.length ?? 0) - (a.extension?.length ?? 0))
  const accepted = matching.filter((filetype) => isAccepted(filetype, platform))
  const longest = accepted.filter(({ extension }) => extension === accepted[0]?.extension)
  const own = longest.find(({ platforms: slugs }) => slugs.includes(platform))
  if (longest.length > 0) return own ?? longest.find(({ isGeneric }) => isGeneric) ?? longest[0]
  const unknown = findFiletype('none')
  return matching.length === 0 && unknown?.platforms.includes(platform) ? unknown : undefined
}

test('defines file types with unique identifiers and only known platforms', () => {
  assert.equal(new Set(filetypes.map(({ identifier }) => identifier)).size, filetypes.length)
  for (const filetype of filetypes) {
    assert.ok(filetype.isGeneric === (filetype.platforms.length === 0), filetype.identifier)
    for (const slug of filetype.platforms)
      assert.ok(platformSlugs.includes(slug), `${filetype.identifier}: ${slug}`)
    assert.match(filetype.mimeType, /^[a-z]+\/[a-z0-9.+-]+$/)
  }
})

test('resolves every known extension on every platform as the catalog data specifies', () => {
  let accepted = 0
  for (const { extension } of filetypes) {
    for (const platform of platformSlugs) {
      const filename = extension === null ? 'server' : `My App 1.0.${extension}`
      const found = filetypeFor({ platform, filename })
      assert.equal(found, expectedType(platform, filename), `${platform}: ${filename}`)
      if (found !== undefined) accepted += 1
    }
  }
  assert.ok(accepted > 1000)
})

test('resolves random file names as the catalog data specifies', () => {
  const extensions = filetypes.flatMap(({ extension }) => extension ?? [])
  const part = fc.oneof(
    fc.constantFrom(...extensions),
    fc.constantFrom(...extensions).map((extension) => extension.toUpperCase()),
    fc.constantFrom('', ' ', '__proto__', 'constructor', '1', 'ä', 'K', '..', 'apk '),
    fc.string({ maxLength: 20 }),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...platformSlugs),
      fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('.')),
      (platform, filename) => {
        // toLowerCase converts the Kelvin sign to a k, but the catalog lookup does not.
        fc.pre(!filename.includes('\u212a'))
        assert.equal(filetypeFor({ platform, filename }), expectedType(platform, filename))
      },
    ),
    { numRuns: 2000 },
  )
})

const resolved: readonly (readonly [string, string, string | undefined])[] = [
  ['android', 'app-release.apk', 'apk'],
  ['android', 'APP-RELEASE.APK', 'apk'],
  ['android', 'bundle.aab', 'aab'],
  ['wearos', 'watch.aab', 'aab'],
  ['quest', 'game.apk', 'apk'],
  ['quest', 'game.aab', undefined],
  ['ios', 'Game.ipa', 'ipa'],
  ['apple-watch', 'Game.ipa', 'ipa'],
  ['vision-pro', 'Game.ipa', 'ipa'],
  ['ios', 'Game.apk', undefined],
  ['android', 'Game.ipa', undefined],
  ['ios', 'Game.zip', undefined],
  ['alpine', 'tool-1.2-r0.apk', 'apk-alpine'],
  ['macos', 'Installer.pkg', 'pkg'],
  ['ps5', 'Game.pkg', 'pkg-ps5'],
  ['generic', 'thing.pkg', 'pkg'],
  ['arch', 'tool-1-1-x86_64.pkg.tar.zst', 'pkg.tar.zst'],
  ['debian', 'tool-1-1-x86_64.pkg.tar.zst', 'zst'],
  ['generic', 'tool.pkg.tar.gz', 'pkg.tar.gz'],
  ['linux', 'tool.pkg.tar.gz', 'tar.gz'],
  ['linux', 'tool-1.2.3.tar.gz', 'tar.gz'],
  ['linux', 'tool-1.2.3.tar.zst', 'zst'],
  ['linux', 'tool', 'none'],
  ['linux', 'tool-1.2.3', 'none'],
  ['linux', 'tool.exe', undefined],
  ['macos', 'tool', 'none'],
  ['windows', 'tool', undefined],
  ['windows', 'setup.exe', 'exe'],
  ['windows', 'setup.zip', 'zip'],
  ['windows', 'setup.dmg', undefined],
  ['kaios', 'app.zip', 'zip'],
  ['kaios', 'app', undefined],
  ['vision-pro', 'app.zip', undefined],
  ['vision-pro', 'app', 'none'],
  ['generic', 'Build.unityweb', 'unityweb'],
  ['generic', 'setup.exe', 'exe'],
  ['generic', 'Game.apk', 'apk'],
  ['generic', 'Game.ipa', 'ipa'],
  ['generic', 'firmware.xyz', 'none'],
  ['generic', 'Makefile', 'none'],
  ['linux', 'Build.unityweb', undefined],
  ['amiga', 'game.zip', undefined],
]

for (const [platform, filename, identifier] of resolved) {
  const name =
    identifier === undefined
      ? `finds no file type for "${filename}" on platform ${platform}`
      : `resolves "${filename}" on platform ${platform} to file type "${identifier}"`
  test(name, () => {
    assert.equal(filetypeFor({ platform, filename })?.identifier, identifier)
  })
}

test('does not recognize malformed or hostile file names as packages', () => {
  const names = [
    '',
    '.',
    '..',
    '.apk',
    'apk',
    'game.apk ',
    'game.apk.',
    'game.apk\0',
    'game.a\u0070k\u200b',
    'game.ap\u212a',
    'game\u2024apk',
    '__proto__',
    'a.constructor',
    'a.__proto__',
    '\ud800.',
    '.'.repeat(100_000),
    `${'a.'.repeat(100_000)}b`,
  ]
  for (const filename of names) {
    assert.equal(filetypeFor({ platform: 'android', filename }), undefined, filename.slice(0, 30))
    assert.ok(['none', undefined].includes(filetypeFor({ platform: 'linux', filename })?.identifier))
  }
  assert.equal(filetypeFor({ platform: '__proto__', filename: 'game.apk' }), undefined)
})

test('accepts exactly the extensions listed for each platform', () => {
  const extensions = new Set(filetypes.flatMap(({ extension }) => extension ?? []))
  for (const platform of platformSlugs) {
    const accepted = new Set(acceptedExtensions(platform))
    for (const extension of extensions) {
      const found = filetypeFor({ platform, filename: `a.${extension}` })
      if (accepted.has(extension) || platform === 'generic') assert.equal(found?.extension, extension)
      else assert.notEqual(found?.extension, extension)
    }
  }
  assert.deepEqual(acceptedExtensions('ios'), ['ipa'])
  assert.deepEqual(acceptedExtensions('android'), ['aab', 'apk'])
  assert.deepEqual(acceptedExtensions('amiga'), [])
})

test('summarizes the accepted extensions of every platform in fewer than 300 characters', () => {
  assert.equal(acceptedExtensionsText('android'), '.aab, .apk')
  assert.equal(acceptedExtensionsText('opensuse'), '.rpm, archives, images, scripts and libraries')
  for (const { identifier } of platforms) assert.ok(acceptedExtensionsText(identifier).length < 300)
})

test('accepts files of unknown type only on the platforms listed for the "none" file type', () => {
  assert.deepEqual(
    platformSlugs.filter((slug) => acceptsUnknown(slug)).toSorted(),
    findFiletype('none')?.platforms.toSorted(),
  )
})

test('includes a MIME type in a file type resource, with application/octet-stream as the default', () => {
  const mime = (identifier: string): string => filetypeResource(identifier).mime_type
  assert.deepEqual(filetypeResource('apk'), {
    identifier: 'apk',
    name: 'Android Package',
    extension: 'apk',
    mime_type: 'application/vnd.android.package-archive',
  })
  assert.equal(mime('zip'), 'application/zip')
  assert.equal(mime('tar.gz'), 'application/gzip')
  assert.equal(mime('dmg'), 'application/x-apple-diskimage')
  assert.equal(mime('deb'), 'application/vnd.debian.binary-package')
  for (const identifier of ['ipa', 'aab', 'bin', 'none', 'apk-alpine']) {
    assert.equal(mime(identifier), 'application/octet-stream')
  }
  assert.deepEqual(filetypeResource('none').extension, null)
  assert.deepEqual(filetypeResource('of-tomorrow'), {
    identifier: 'of-tomorrow',
    name: 'of-tomorrow',
    extension: null,
    mime_type: 'application/octet-stream',
  })
})

test('lets clients wait only for the inspection of AAB, APK and IPA files', () => {
  const waiting = filetypes.filter(({ identifier }) => initialProcessing(identifier) === 'waiting')
  assert.deepEqual(waiting.map(({ identifier }) => identifier).toSorted(), ['aab', 'apk', 'ipa'])
  assert.deepEqual(['deb', 'none', 'msix', 'tar.gz', 'h', '7z'].map(initialProcessing), [
    'queued',
    'queued',
    'queued',
    'queued',
    'none',
    'none',
  ])
})
