import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import { importAll, importArgs, importSome, missingOf } from './import-reports.ts'
import type { Report, Started } from './import-reports.ts'
import { describeImported } from './imported-application.ts'
import { closeServers } from './other-servers.ts'
import { appcenterMember, startAppCenter } from './release-sources/appcenter.ts'
import { startGitHub } from './release-sources/github.ts'
import { startGitLab } from './release-sources/gitlab.ts'
import { startWebServer } from './release-sources/web-server.ts'
import { startZealot } from './release-sources/zealot.ts'
import { jsonInProcess } from './run-in-process.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

let service: Service
let client: QuaysideClient

before(async () => {
  service = await startService()
  client = createClient({ baseUrl: service.url, apiKey: bootstrapKey })
})
after(async () => {
  closeServers()
  await service.close()
  await appcenterMember.stop?.()
})

const argsOf = (started: Started, ...more: string[]) => importArgs(service, started, ...more)
const importFrom = (started: Started, ...more: string[]) => importAll(service, started, ...more)
const importPartly = (started: Started, ...args: string[]) => importSome(service, started, ...args)

const date = '2024-03-01T10:00:00.000Z'
const bytes = randomBytes(1000)
const release = { version: '1.2.0', notes: 'New', date }
const apk = { ...release, filename: 'compass.apk', bytes }

describe('the releases of GitHub', () => {
  test('become builds with their platforms, checksums and signatures', async () => {
    const github = await startGitHub()
    github.addRelease({ ...release, notes: '# New' }, [
      { name: 'compass-1.2.0.apk', bytes },
      { name: 'main.12.com.example.compass.obb', bytes: randomBytes(2000) },
      { name: 'compass-linux-x64.tar.gz', bytes: randomBytes(3000) },
      { name: 'Compass.dmg', bytes: randomBytes(3000) },
      { name: 'compass-data.zip', bytes: randomBytes(3000) },
      { name: 'Compass.dmg.sig', bytes: Buffer.from('signature') },
      { name: 'SHA256SUMS', bytes: Buffer.from('checksums') },
      { name: 'empty.zip', bytes: Buffer.alloc(0) },
      { name: 'unfinished.zip', bytes, state: 'starter' },
    ])
    const args = argsOf(github, '--stream', 'nightlies', '--platform', 'windows')
    const report = await importPartly(github, ...args)
    assert.deepEqual([report.builds, report.failed_builds], [4, 1])
    const { builds, releases, platforms } = await describeImported(client, report.application_id)
    assert.deepEqual(platforms.toSorted(), ['android', 'linux', 'macos', 'windows'])
    const found = builds.map(({ stream, primary, expansion, artifacts, version }) => [
      version,
      stream,
      primary[0],
      expansion.map(([name]) => name),
      artifacts.map(([name]) => name),
    ])
    assert.deepEqual(found, [
      ['1.2.0', 'nightlies', 'compass-1.2.0.apk', ['main.12.com.example.compass.obb'], ['SHA256SUMS']],
      ['1.2.0', 'nightlies', 'compass-linux-x64.tar.gz', [], []],
      ['1.2.0', 'nightlies', 'Compass.dmg', [], ['Compass.dmg.sig']],
      ['1.2.0', 'nightlies', 'compass-data.zip', [], []],
    ])
    assert.equal(releases[0]?.[5]?.length, 4)
    assert.deepEqual(missingOf(report), [['empty.zip of Compass 1.2.0', 'It is empty.']])
    const [build] = builds
    assert.deepEqual(
      [build?.scm.scm_host, build?.scm.scm_repo_name, build?.scm.scm_repo_url],
      ['github', 'acme/compass', 'https://github.com/acme/compass'],
    )
  })

  test('keep that they are drafts or pre-releases, and are reported without a version', async () => {
    const github = await startGitHub()
    const commit = 'd'.repeat(40)
    github.addRelease(release, [{ name: 'compass.apk', bytes }], {
      draft: true,
      published_at: null,
      target_commitish: commit,
    })
    github.addRelease({ ...release, version: '1.3.0-beta.1' }, [], { prerelease: true })
    github.addRelease({ ...release, notes: 'n'.repeat(20_100) }, [{ name: 'a.apk', bytes }], {
      tag_name: 'nightly',
      name: null,
    })
    const report = await importFrom(github)
    const { builds, releases } = await describeImported(client, report.application_id)
    assert.deepEqual(
      releases.map(([title, version, status, , labels]) => [title, version, status, labels]),
      [
        ['Compass 1.3.0-beta.1', '1.3.0-beta.1', 'published', ['prerelease']],
        ['Compass 1.2.0', '1.2.0', 'draft', []],
      ],
    )
    assert.equal(builds[0]?.scm.scm_commit_url, `https://github.com/acme/compass/commit/${commit}`)
    assert.deepEqual(missingOf(report), [
      ['a.apk of nightly', 'No version was found in the tag or in the file name.'],
      ['the release nightly', 'No version was found in its tag, in its title or in its files.'],
    ])
  })

  test('are imported without files that differ from what GitHub lists, until these are correct', async () => {
    const github = await startGitHub()
    const wrong = [
      { name: 'larger.apk', bytes, size: 900 },
      { name: 'smaller.apk', bytes, size: 1100 },
      { name: 'damaged.apk', bytes, digest: `sha256:${'0'.repeat(64)}` },
      { name: 'good.apk', bytes },
    ]
    github.addRelease(release, wrong)
    const args = argsOf(github)
    const report = await importPartly(github, ...args)
    assert.deepEqual([report.builds, report.failed_builds, report.releases], [1, 3, 1])
    const reasons = missingOf(report).map(([, reason]) => reason ?? '')
    for (const [index, text] of ['larger than expected', '1000 instead of 1100', 'does not match'].entries())
      assert.match(reasons[index] ?? '', new RegExp(text))
    for (const asset of github.releases[0]?.assets ?? []) {
      asset.size = bytes.length
      asset.digest = null
    }
    const again = await jsonInProcess<Report>(service, args, { env: github.env })
    assert.deepEqual([again.builds, again.failed_builds, again.releases], [3, 0, 0])
    const { releases } = await describeImported(client, again.application_id)
    assert.equal(releases[0]?.[5]?.length, 4, 'the release contains the builds that were imported later')
    const last = await jsonInProcess<Report>(service, args, { env: github.env })
    assert.deepEqual([last.builds, last.failed_builds, last.releases], [0, 0, 0])
  })
})

describe('the releases of GitLab', () => {
  test('have the files of links, without the token at other hosts and without web pages', async () => {
    const gitlab = await startGitLab()
    const elsewhere = await startWebServer((_request, response, { pathname }) => {
      if (pathname.endsWith('.html') || pathname === '/docs')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      else if (pathname === '/stream') response.writeHead(200).write('x', () => response.end())
      else response.writeHead(200, { 'content-length': '1000' }).end(bytes)
    })
    const link = (id: number, name: string, url: string, link_type = 'other') => ({
      id,
      name,
      url,
      link_type,
    })
    gitlab.addRelease(release, [
      link(1, 'compass.apk', `${elsewhere.url}/files/1`),
      link(2, 'Windows installer', `${elsewhere.url}/compass-setup.exe`),
      link(3, 'Documentation', `${elsewhere.url}/docs`),
      link(4, 'How to deploy', `${elsewhere.url}/deploy`, 'runbook'),
      link(5, 'old.zip', 'ftp://files.example.com/old.zip'),
      link(6, 'stream.zip', `${elsewhere.url}/stream`),
    ])
    const report = await importPartly(gitlab)
    const { builds } = await describeImported(client, report.application_id)
    assert.deepEqual(
      builds.map(({ primary }) => primary.slice(0, 2)),
      [
        ['compass.apk', 1000],
        ['compass-setup.exe', 1000],
      ],
    )
    assert.deepEqual(missingOf(report), [
      ['docs of Compass 1.2.0', 'Its URL is a web page.'],
      ['old.zip of Compass 1.2.0', 'Its URL starts with ftp: and not with https:.'],
      ['stream.zip of Compass 1.2.0', 'Its URL does not report the size of the file.'],
      ['the link How to deploy of Compass 1.2.0', 'It is a link to a runbook.'],
    ])
    const tokens = elsewhere.requests.filter(({ headers }) => headers['private-token'] !== undefined)
    assert.deepEqual(tokens, [])
  })
})

describe('the builds of Zealot', () => {
  test('form a release for each version with the latest build of each channel', async () => {
    const zealot = await startZealot()
    zealot.addBuild({ ...apk, notes: '- first' }, 'key-a', '57')
    zealot.addBuild({ ...apk, notes: '- second', date: '2024-03-02T10:00:00.000Z' }, 'key-a', '58')
    zealot.addBuild({ ...apk, notes: '- store', date: '2024-03-03T10:00:00.000Z' }, 'key-b', '58')
    const hidden = zealot.addBuild(
      { ...apk, version: '1.3.0', date: '2024-03-04T10:00:00.000Z' },
      'key-b',
      '60',
    )
    zealot.protectedIds.add(hidden)
    const report = await importPartly(zealot)
    const { builds, releases } = await describeImported(client, report.application_id)
    assert.deepEqual(
      builds.map(({ number, stream, labels, notes, scm, ci }) => [
        number,
        stream,
        labels,
        notes,
        scm.scm_branch,
        ci.ci_run_url,
      ]),
      [
        ['57', 'Production', [], '- first', 'develop', 'https://ci.example.com/runs/1'],
        ['58', 'Production', [], '- second', 'develop', 'https://ci.example.com/runs/1'],
        ['58', 'Production', ['Store'], '- store', 'develop', 'https://ci.example.com/runs/1'],
      ],
    )
    const [first] = releases
    assert.equal(first?.[3], '- store\n\nFirst published on 2024-03-03.')
    assert.equal(first?.[5]?.length, 2)
    assert.match(missingOf(report)[0]?.[1] ?? '', /The channel Store of Production has a password\./)
  })
})

describe('the saved responses of App Center', () => {
  test('are found in lists and next to files that are named for them', async () => {
    const saved = await startAppCenter()
    const { folder, describe: describeRelease } = saved
    const older = { ...apk, bytes: randomBytes(500), date: '2024-01-01T00:00:00.000Z' }
    const list = [
      describeRelease(apk, 12, { version: '57' }),
      describeRelease(older, 11, { version: '56' }),
      describeRelease({ ...apk, version: '1.1.0' }, 10, { enabled: false }),
      describeRelease({ ...apk, version: '0.9.0' }, 9, {}),
      describeRelease({ ...apk, version: '0.8.0' }, 8, { size: 3 }),
    ]
    await writeFile(join(folder, 'releases.json'), JSON.stringify(list))
    await writeFile(join(folder, '12.apk'), bytes)
    await mkdir(join(folder, '11'))
    await writeFile(join(folder, '11/app-release.apk'), older.bytes)
    await writeFile(join(folder, '10.apk'), bytes)
    await writeFile(join(folder, '8.apk'), 'abc')
    await writeFile(join(folder, 'broken.json'), '{')
    const report = await importPartly(saved)
    const { application, builds, releases } = await describeImported(client, report.application_id)
    assert.deepEqual(application, ['Compass', 'A navigation app'])
    assert.deepEqual(
      builds.map(({ version, number, primary }) => [version, number, primary[0]]),
      [
        ['1.2.0', '56', 'app-release.apk'],
        ['1.2.0', '57', '12.apk'],
        ['1.1.0', '60', '10.apk'],
      ],
    )
    assert.deepEqual(
      releases.map(([title, , status, , , contained]) => [title, status, contained]),
      [
        ['1.2.0', 'published', ['1.2.0']],
        ['1.1.0', 'draft', []],
        ['0.8.0', 'published', []],
      ],
    )
    assert.deepEqual(
      missingOf(report).map(([what]) => what),
      ['8.apk of 0.8.0', 'the release 9'],
    )
  })
})
