import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bootstrapKey, startService, type Service } from '../../../packages/cli/test/running-server.ts'
import {
  createBrowser,
  textOf,
  userAgents,
  type OpenedPage,
} from '../../../packages/server/test/page-browser.ts'
import { launchChromium, withoutChromium } from '../../../packages/web/test/chromium.ts'
import { writeChecksums } from '../checksums.ts'
import { failingChecks } from '../test/documented-checks.ts'
import { provideRelease } from '../test/provide-release.ts'
import { createPublishingKey, getData, killPublication, runPublication } from '../test/run-publication.ts'
import { runProgram } from '../test/run-release.ts'

type Build = {
  id: string
  version: string
  stream: { name: string }
  labels: { name: string }[]
  platform: { identifier: string }
  architectures: { identifier: string }[]
  scm: { scm_commit_sha: string | null }
}
type FullBuild = Build & { primary_file: { id: string; filename: string } }
type Release = { id: string; status: string; notes: string; builds: { id: string }[] }

const version = '0.1.0'
const linuxArchive = `quayside-${version}-linux-x64.tar.gz`
const checkedFiles = new Set([
  linuxArchive,
  'SHA256SUMS',
  'SHA256SUMS.minisig',
  'SHA256SUMS.sshsig',
  'quayside.pub',
  'quayside.signers',
])

let folder: string
let service: Service
let publishingKey: string
/** The folder of a complete release. */
let release: string
let files: string[]
/** The commit from which the release was built. */
let commit: string
let applicationId: string
let pageUrl: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-publish-test-'))
  release = await provideRelease()
  files = await readdir(release)
  const provenance = JSON.parse(await readFile(join(release, `quayside-${version}.intoto.json`), 'utf8')) as {
    predicate: { buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: string } }] } }
  }
  commit = provenance.predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit
  service = await startService()
  publishingKey = await createPublishingKey(service.url, bootstrapKey)
})
after(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const environment = () => ({
  GITHUB_OUTPUT: join(folder, 'output'),
  QUAYSIDE_SERVER: service.url,
  QUAYSIDE_API_KEY: publishingKey,
})

const publish = (...args: string[]) => runPublication(['--folder', release, ...args], environment())

const get = <T>(path: string) => getData<T>(service.url, bootstrapKey, path)
const listBuilds = () => get<Build[]>(`/applications/${applicationId}/builds?per_page=100`)
const listReleases = () => get<Release[]>(`/applications/${applicationId}/releases`)

async function listShareLinks(): Promise<unknown[]> {
  const [found] = await listReleases()
  return get(`/applications/${applicationId}/releases/${found?.id}/share-links`)
}

test('resumes an interrupted publication without uploading a file twice', async () => {
  await killPublication(['--folder', release, '--stream', 'nightly'], environment())
  const { code, output } = await publish('--stream', 'nightly')
  assert.equal(code, 0, output)
  assert.match(output, /linux-x64\.tar\.gz \(already uploaded\)/)
  assert.match(output, /is a draft until the builds are stable/)
  const [application, ...others] =
    await get<{ id: string; name: string; icon_url: string | null }[]>('/applications')
  assert.deepEqual([application?.name, others.length], ['Quayside', 0])
  assert.ok(application?.icon_url)
  applicationId = application.id
  const builds = await listBuilds()
  assert.equal(builds.length, files.length)
  for (const build of builds)
    assert.deepEqual(
      [build.version, build.stream.name, build.scm.scm_commit_sha],
      [version, 'nightly', commit],
    )
  assert.deepEqual(await listShareLinks(), [])
})

test('describes the builds by platform, architecture and label', async () => {
  const described = (await listBuilds()).map(({ platform, architectures, labels }) =>
    [
      platform.identifier,
      ...architectures.map(({ identifier }) => identifier),
      ...labels.map(({ name }) => name),
    ].join(' '),
  )
  for (const expected of [
    'linux x64 command-line',
    'linux arm64v8 command-line',
    'macos x64 command-line',
    'macos apple command-line',
    'windows x64 command-line',
    'generic npm-package',
    'generic installer',
    'generic sbom',
    'generic provenance',
    'generic signature',
  ])
    assert.ok(described.includes(expected), `${expected} in ${described.join(', ')}`)
  assert.ok(!described.includes('generic other'))
})

test('promotes the builds through beta to stable and publishes the release', async () => {
  const { code, output } = await publish()
  assert.equal(code, 0, output)
  assert.doesNotMatch(output, /\(uploaded\)/)
  const builds = await listBuilds()
  assert.deepEqual([...new Set(builds.map(({ stream }) => stream.name))], ['stable'])
  type Entry = { before: { stream: string }; after: { stream: string } }
  const filter = `action=build.updated&subject_type=build&subject_id=${builds[0]?.id}`
  const entries = await get<Entry[]>(`/workspace/audit-log?${filter}`)
  const moves = entries.map(({ before: from, after: to }) => `${from.stream} → ${to.stream}`)
  assert.deepEqual(moves.toSorted(), ['beta → stable', 'nightly → beta'])
  const [listed, ...others] = await listReleases()
  assert.deepEqual([listed?.status, others.length], ['published', 0])
  const published = await get<Release>(`/applications/${applicationId}/releases/${listed?.id}`)
  assert.equal(published.builds.length, files.length)
  assert.match(published.notes, /^\S/)
  assert.doesNotMatch(published.notes, /^# Quayside/)
  pageUrl = /^Download page: (\S+)$/m.exec(output)?.[1] ?? ''
  assert.match(pageUrl, /\/s\/\w+$/)
  assert.equal(await readFile(join(folder, 'output'), 'utf8'), `download-page=${pageUrl}\n`)
})

test('changes nothing when it runs again', async () => {
  const earlier = [await listBuilds(), await listReleases(), await listShareLinks()]
  const { code, output } = await publish('--stream', 'nightly')
  assert.equal(code, 0, output)
  const again = await publish()
  assert.equal(again.code, 0, again.output)
  assert.ok(again.output.includes(`Download page: ${pageUrl}\n`))
  assert.deepEqual([await listBuilds(), await listReleases(), await listShareLinks()], earlier)
})

describe('the download page', () => {
  /** Returns the names of the files that the forms of a page download, in their order, with the labels of the buttons. */
  async function downloadsOf({ forms }: OpenedPage) {
    const requests = forms.map(async ({ fields, label }) => {
      const { primary_file } = await get<FullBuild>(
        `/applications/${applicationId}/builds/${fields['build_id']}`,
      )
      assert.equal(fields['file_id'], primary_file.id)
      return { name: primary_file.filename, label }
    })
    return Promise.all(requests)
  }

  test('offers visitors the archives for their computer first and contains every file', async () => {
    const downloadsFor = async (device: keyof typeof userAgents) => {
      const page = await createBrowser(userAgents[device]).open(pageUrl)
      assert.equal(page.status, 200)
      assert.match(textOf(page), /Quayside 0\.1\.0/)
      const downloads = await downloadsOf(page)
      assert.deepEqual(downloads.map(({ name }) => name).toSorted(), files.toSorted())
      return downloads
    }
    const archive = (platform: string) => `quayside-${version}-${platform}`
    const other = (name: string) => ({ name, label: `Download ${name}` })
    assert.deepEqual((await downloadsFor('linux')).slice(0, 2), [
      { name: linuxArchive, label: 'Download for Linux' },
      other(archive('linux-arm64.tar.gz')),
    ])
    assert.deepEqual((await downloadsFor('macos')).slice(0, 2), [
      other(archive('macos-x64.tar.gz')),
      other(archive('macos-arm64.tar.gz')),
    ])
    assert.deepEqual((await downloadsFor('windows'))[0], {
      name: archive('windows-x64.zip'),
      label: 'Download for Windows',
    })
    const labels = (await downloadsFor('android')).map(({ label }) => label)
    assert.deepEqual(labels.toSorted(), files.map((name) => other(name).label).toSorted())
  })

  test('downloads what the documented checks accept, and what they reject after a change', async () => {
    const downloads = await mkdtemp(join(folder, 'downloads-'))
    const browser = createBrowser()
    const page = await browser.open(pageUrl)
    for (const { name, label } of await downloadsOf(page)) {
      if (!checkedFiles.has(name)) continue
      const { location = '' } = await browser.submit(page, label)
      const response = await fetch(location)
      assert.equal(response.status, 200)
      await writeFile(join(downloads, name), await response.bytes())
    }
    assert.deepEqual(await failingChecks(downloads), [])
    const { code, output } = await runProgram('tar', ['-xzf', linuxArchive], { cwd: downloads })
    assert.equal(code, 0, output)
    if (process.platform === 'linux' && process.arch === 'x64') {
      const quayside = join(downloads, linuxArchive.replace('.tar.gz', ''), 'bin/quayside')
      assert.equal((await runProgram(quayside, ['--version'], { cwd: downloads })).output.trim(), version)
    }
    await writeFile(join(downloads, linuxArchive), 'another program')
    assert.deepEqual(await failingChecks(downloads), ['sha256sum'])
  })

  test(
    'works in Chromium on a desktop and on a phone, without a script',
    { skip: withoutChromium },
    async () => {
      const browser = await launchChromium()
      try {
        for (const [width, colorScheme] of [
          [1440, 'light'],
          [390, 'dark'],
        ] as const) {
          const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
          const page = await context.newPage()
          await page.goto(pageUrl)
          assert.equal(await page.title(), `Quayside ${version}`)
          assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
          const signature = page.getByRole('button', { name: 'Download SHA256SUMS.minisig' })
          assert.equal(await signature.isVisible(), false)
          await page.getByText(/^\d+ more files$/).click()
          const [started] = await Promise.all([page.waitForEvent('download'), signature.click()])
          assert.equal(started.suggestedFilename(), 'SHA256SUMS.minisig')
          const path = await started.path()
          assert.deepEqual(await readFile(path), await readFile(join(release, 'SHA256SUMS.minisig')))
          await context.close()
        }
      } finally {
        await browser.close()
      }
    },
  )
})

describe('a publication is refused', () => {
  /** Returns a copy of the release whose files are links, in which one file is another one. */
  async function copyWithOther(name: string): Promise<string> {
    const copy = await mkdtemp(join(folder, 'copy-'))
    for (const file of files.filter((file) => file !== name))
      await symlink(join(release, file), join(copy, file))
    await writeFile(join(copy, name), 'something else')
    return copy
  }

  async function refused(copy: string, message: RegExp): Promise<void> {
    const builds = await listBuilds()
    const { code, output } = await publish('--folder', copy)
    assert.match(output, message)
    assert.doesNotMatch(output, /\n +at /)
    assert.equal(code, 1)
    assert.deepEqual(await listBuilds(), builds)
  }

  test('if a file differs from the checksums or is missing', async () => {
    const copy = await copyWithOther('install.sh')
    await refused(copy, /install\.sh differs from SHA256SUMS/)
    await rm(join(copy, 'install.sh'))
    await refused(copy, /install\.sh is missing/)
    await rm(join(copy, 'SHA256SUMS.minisig'))
    await refused(copy, /has no SHA256SUMS\.minisig/)
  })

  test('if the version was published with another file', async () => {
    const copy = await copyWithOther('install.sh')
    await rm(join(copy, 'SHA256SUMS'))
    await writeChecksums({ folder: copy, log: () => {} })
    await refused(copy, /Version 0\.1\.0 already has another install\.sh/)
  })

  test('with a key that the server rejects', async () => {
    const env = { ...environment(), QUAYSIDE_API_KEY: 'a-key-that-the-server-does-not-know-0000' }
    const { code, output } = await runPublication(['--folder', release], env)
    assert.match(output, /API key/)
    assert.doesNotMatch(output, /\n +at /)
    assert.equal(code, 1)
  })
})
