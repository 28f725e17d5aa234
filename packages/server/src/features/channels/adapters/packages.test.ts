import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { tarFiles } from '../../../inspection/archives/tar-stream.ts'
import { childNamed, descendantsNamed, readXmlDocument } from '../../../inspection/xml-document.ts'
import type { PackageDetails } from './adapter.ts'
import { apt } from './apt.ts'
import { fdroid } from './fdroid/fdroid.ts'
import { pacman } from './pacman.ts'
import { rpm } from './rpm.ts'
import { answerOf, bodyOf, sampleEntry, sampleFeed, type SampleBuild } from './samples/feed.fixture.ts'
import { hostileTexts } from './samples/hostile-texts.fixture.ts'
import {
  androidInfo,
  readSections,
  readStanzas,
  rpmHeader,
  type FdroidIndex,
} from './samples/packages.fixture.ts'

const feedOf = (build: Omit<SampleBuild, 'platform'>) =>
  sampleFeed([sampleEntry({ version: '1.0.0', builds: [{ platform: 'linux', ...build }] })], {
    applicationName: build.filename,
  })

const control = (fields: Record<string, string>) => ({
  debControl: Object.entries({
    Package: 'harbor',
    Version: '1.0.0',
    Architecture: 'amd64',
    Description: 'A harbor',
    ...fields,
  }).map(([name, value]) => ({ name, value })),
})

async function stanzasOf(fields: Record<string, string>) {
  const feed = feedOf({ filename: 'harbor.deb', details: control(fields) })
  const path = 'dists/stable/main/binary-amd64/Packages.gz'
  return readStanzas(bodyOf(await answerOf(apt, 'apt', feed, { path })) ?? assert.fail('no index'))
}

async function packagesOf(fields: Parameters<typeof rpmHeader>[0]) {
  const feed = feedOf({ filename: 'harbor.rpm', details: { rpmHeader: rpmHeader(fields) } })
  const answer = await answerOf(rpm, 'rpm', feed, { path: 'repodata/*-primary.xml.gz' })
  const document = readXmlDocument(Buffer.from(bodyOf(answer) ?? assert.fail('no index')), 'damaged')
  return [...descendantsNamed(document, 'package')]
}

/** Returns the descriptions in the database of a package with these fields, by their paths. */
async function descriptionsOf(fields: Record<string, string>) {
  const info = { pkgname: 'harbor', pkgver: '1.0.0-1', arch: 'x86_64', ...fields }
  const details = { pacmanInfo: Object.entries(info).map(([name, value]) => ({ name, value })) }
  const feed = feedOf({ filename: 'harbor.pkg.tar.zst', details })
  const answer = await answerOf(pacman, 'pacman', feed, { path: 'x86_64/packages.db' })
  if (answer === undefined || answer === 'no update' || 'file' in answer) throw new Error('no database')
  const found = new Map<string, Map<string, string[]>>()
  for await (const { name, sizeBytes, read } of tarFiles(Readable.from([gunzipSync(answer.body)])))
    found.set(name, readSections((await read(sizeBytes)).toString()))
  return found
}

/** Returns the packages in the index of F-Droid of an APK with these fields. */
async function fdroidPackagesOf(
  fields: Partial<NonNullable<PackageDetails['androidInfo']>>,
): Promise<FdroidIndex['packages']> {
  const details = { androidInfo: androidInfo(fields) }
  const feed = feedOf({ filename: 'harbor.apk', package: { name: fields.version_name ?? 'x' }, details })
  const body = bodyOf(await answerOf(fdroid, 'fdroid', feed, { path: 'repo/index-v2.json' }))
  return (JSON.parse(body ?? assert.fail('no index')) as FdroidIndex).packages
}

test('leaves out APKs whose package name, version or signature is not valid', async () => {
  assert.deepEqual(Object.keys(await fdroidPackagesOf({})), ['com.example.harbor'])
  const names = ['harbor', 'com..harbor', '__proto__', '../com.example', 'com.1x', `com.${'x'.repeat(250)}`]
  for (const text of [...hostileTexts, ...names]) {
    assert.deepEqual(await fdroidPackagesOf({ package_name: text }), {}, text)
    if (!/^[0-9a-f]{64}$/.test(text))
      assert.deepEqual(await fdroidPackagesOf({ signing_cert_sha256: text }), {}, text)
  }
  for (const fields of [
    { package_name: null },
    { version_code: null },
    { version_code: -1 },
    { signing_cert_sha256: null },
    { version_name: 'x'.repeat(101) },
    { version_name: '1\n2' },
    { version_name: '\u202e1' },
  ])
    assert.deepEqual(await fdroidPackagesOf(fields), {}, JSON.stringify(fields))
})

test('keeps hostile versions and permissions of APKs inert', async () => {
  for (const text of hostileTexts) {
    const packages = await fdroidPackagesOf({ version_name: text, permissions: [text, 'a.B'] })
    const versions = Object.values(packages).flatMap((found) => Object.values(found.versions))
    for (const { file, manifest } of versions) {
      assert.equal(manifest.versionName, text)
      assert.match(file.name, /^\/pool\/[0-9a-f]{64}\/com\.example\.harbor_1\.apk$/)
      assert.ok(manifest.usesPermission.every(({ name }) => /^[\w.-]+$/.test(name)))
      assert.equal(manifest.usesPermission.at(-1)?.name, 'a.B')
    }
  }
})

test('states what F-Droid needs to know about an APK, and reports one that is not signed', async () => {
  const { 'com.example.harbor': found } = await fdroidPackagesOf({
    version_name: null,
    version_code: 2 ** 40,
    minimum_api: null,
    target_api: null,
    architectures: ['x64', 'armv7', 'unknown'],
  })
  const [version] = Object.values(found?.versions ?? {})
  assert.deepEqual(version?.manifest, {
    versionName: `${2 ** 40}`,
    versionCode: 2 ** 40,
    usesSdk: { minSdkVersion: 1, targetSdkVersion: 1 },
    signer: { sha256: ['a'.repeat(64)] },
    usesPermission: [{ name: 'android.permission.INTERNET' }],
    nativecode: ['x86_64', 'armeabi-v7a'],
  })
  assert.equal(found?.metadata.preferredSigner, 'a'.repeat(64))
  const details = { androidInfo: androidInfo({ signing_cert_sha256: null }) }
  const feed = feedOf({ filename: 'harbor.apk', details })
  const [entry] = feed.all
  assert.ok(entry !== undefined)
  const missing = await fdroid.listMissing(entry, feed)
  assert.match(missing.map(({ message }) => message).join(' '), /harbor\.apk has no valid signature/)
})

test('shows the icon of the newest version that has one', async () => {
  const entries = ['3.0.0', '2.0.0', '1.0.0'].map((version) => {
    const iconKey = version === '3.0.0' ? null : `icon of ${version}`
    const details = { androidInfo: androidInfo({ version_name: version }), iconKey }
    return sampleEntry({ version, builds: [{ platform: 'android', filename: 'harbor.apk', details }] })
  })
  const feed = sampleFeed(entries)
  const index = bodyOf(await answerOf(fdroid, 'fdroid', feed, { path: 'repo/index-v2.json' }))
  const { packages } = JSON.parse(index ?? '') as FdroidIndex
  const { name = '', size } = packages['com.example.harbor']?.metadata.icon?.['en-US'] ?? {}
  assert.match(name, /^\/icons\/[0-9a-f]{64}\.png$/)
  const path = `repo${name.replace(/[0-9a-f]{64}/, '*')}`
  assert.equal(bodyOf(await answerOf(fdroid, 'fdroid', feed, { path })), 'icon of 2.0.0')
  assert.equal(size, 'icon of 2.0.0'.length)
})

test('shows the newest 100 versions of an APK', async () => {
  const entries = Array.from({ length: 120 }, (_, index) => {
    const version = `1.0.${120 - index}`
    const details = { androidInfo: androidInfo({ version_name: version }) }
    return sampleEntry({ version, builds: [{ platform: 'android', filename: 'harbor.apk', details }] })
  })
  const answer = await answerOf(fdroid, 'fdroid', sampleFeed(entries), { path: 'repo/index-v2.json' })
  const { packages } = JSON.parse(bodyOf(answer) ?? '') as FdroidIndex
  const names = Object.values(packages['com.example.harbor']?.versions ?? {}).map(
    ({ manifest }) => manifest.versionName,
  )
  assert.equal(names.length, 100)
  assert.ok(names.includes('1.0.120') && !names.includes('1.0.20'))
})

test('keeps hostile values of .PKGINFO in their sections', async () => {
  for (const text of hostileTexts) {
    const hostile = `${text}\n\n%FILENAME%\n../evil.pkg.tar.zst\n\n%DEPENDS%\nevil\n`
    const found = await descriptionsOf({ pkgdesc: hostile, depend: hostile, packager: text, size: text })
    assert.deepEqual([...found.keys()], ['harbor-1.0.0-1/desc'], text)
    const sections = found.get('harbor-1.0.0-1/desc')
    assert.deepEqual([sections?.get('NAME'), sections?.get('VERSION')], [['harbor'], ['1.0.0-1']], text)
    assert.match(
      sections?.get('FILENAME')?.join('\n') ?? '',
      /^harbor-1\.0\.0-1-x86_64\.[0-9a-f]{32}\.pkg\.tar\.zst$/,
      text,
    )
    assert.equal(sections?.get('DEPENDS')?.length, 1, text)
    if (!/^\d+$/.test(text)) assert.equal(sections?.get('ISIZE'), undefined, text)
  }
})

test('leaves out pacman packages whose name, version or architecture is not valid', async () => {
  for (const text of [...hostileTexts, '../1-1', '1/2-1', '1.0', '.x'].filter(
    (each) => !/^\w+$/.test(each),
  )) {
    assert.equal((await descriptionsOf({ pkgver: text })).size, 0, text)
    assert.equal((await descriptionsOf({ arch: text })).size, 0, text)
    if (!/^[a-z0-9.+-]+$/.test(text)) assert.equal((await descriptionsOf({ pkgname: text })).size, 0, text)
  }
})

test('keeps hostile values of control files in their fields', async () => {
  for (const text of hostileTexts) {
    const hostile = `${text}\n${text}\nFilename: evil.deb\n\nPackage: evil\nVersion: 9`
    const [stanza, ...others] = await stanzasOf({ Description: hostile, Depends: hostile, Maintainer: text })
    assert.equal(others.length, 0, text)
    assert.deepEqual([stanza?.get('Package'), stanza?.get('Version')], ['harbor', '1.0.0'], text)
    assert.match(stanza?.get('Filename') ?? '', /^pool\/[0-9a-f]{64}\/harbor_1\.0\.0_amd64\.deb$/)
  }
})

test('leaves out packages whose name, version or architecture is not valid', async () => {
  for (const text of hostileTexts) {
    if (!/^[a-z0-9]+$/i.test(text)) assert.deepEqual(await stanzasOf({ Package: text }), [], text)
    if (!/^[a-z0-9.+~-]+$/i.test(text)) {
      assert.deepEqual(await stanzasOf({ Version: text }), [], text)
      assert.deepEqual(await packagesOf({ name: text }), [], text)
      assert.deepEqual(await packagesOf({ version: text }), [], text)
      assert.deepEqual(await packagesOf({ release: text }), [], text)
    }
    if (!/^[a-z0-9]+$/i.test(text)) assert.deepEqual(await packagesOf({ architecture: text }), [], text)
  }
})

test('replaces the fields of other repositories, and ignores names that are not fields', async () => {
  const [stanza] = await stanzasOf({
    Filename: 'evil.deb',
    SIZE: '1',
    sha256: '0',
    '#Comment': 'x',
    '-X': 'x',
    'A b': 'x',
  })
  assert.match(stanza?.get('Filename') ?? '', /^pool\//)
  assert.deepEqual(
    [...(stanza?.keys() ?? [])],
    ['Package', 'Version', 'Architecture', 'Description', 'Filename', 'Size', 'SHA256'],
  )
})

test('keeps hostile values of RPM headers in their elements', async () => {
  for (const text of hostileTexts) {
    const relation = { name: text, flags: 8, version: text }
    const [found, ...others] = await packagesOf({
      summary: text,
      description: text,
      license: text,
      vendor: text,
      url: text,
      requires: [relation],
      files: [`/etc/${text}`],
    })
    assert.equal(others.length, 0, text)
    // eslint-disable-next-line no-control-regex -- XML cannot contain control characters
    const plain = text.toWellFormed().replaceAll(/[\0-\b\v\f\u000e-\u001f\ufffe\uffff]/g, '')
    assert.equal(childNamed(found, 'summary')?.text.trim(), plain.trim(), text)
    assert.match(childNamed(found, 'location')?.attributes.get('href') ?? '', /^pool\/[0-9a-f]{64}\/harbor-1/)
  }
})

test('states the relations of RPM packages as createrepo_c does', async () => {
  const [found] = await packagesOf({
    requires: [
      { name: 'rpmlib(PayloadIsZstd)', flags: 16_777_226, version: '5.4.18-1' },
      { name: '/bin/sh', flags: 1 << 9, version: '' },
      { name: 'openssl-libs', flags: 12, version: '1:3.0-2' },
    ],
    provides: [{ name: 'harbor', flags: 8, version: '2:1.0.0-1' }],
  })
  const attributesOf = (kind: string) =>
    [...descendantsNamed(found, kind)].flatMap((list) =>
      [...descendantsNamed(list, 'entry')].map(({ attributes }) => Object.fromEntries(attributes)),
    )
  assert.deepEqual(attributesOf('requires'), [
    { name: '/bin/sh', pre: '1' },
    { name: 'openssl-libs', flags: 'GE', epoch: '1', ver: '3.0', rel: '2' },
  ])
  assert.deepEqual(attributesOf('provides'), [
    { name: 'harbor', flags: 'EQ', epoch: '2', ver: '1.0.0', rel: '1' },
  ])
})
