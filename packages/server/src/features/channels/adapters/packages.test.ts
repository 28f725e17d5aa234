import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { tarFiles } from '../../../inspection/archives/tar-stream.ts'
import { childNamed, descendantsNamed, readXmlDocument } from '../../../inspection/xml-document.ts'
import { apt } from './apt.ts'
import { pacman } from './pacman.ts'
import { rpm } from './rpm.ts'
import { answerOf, bodyOf, sampleEntry, sampleFeed, type SampleBuild } from './samples/feed.fixture.ts'
import { hostileTexts } from './samples/hostile-texts.fixture.ts'
import { readSections, readStanzas, rpmHeader } from './samples/packages.fixture.ts'

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
