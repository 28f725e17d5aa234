import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { allItems, createClient } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import type { Report } from './import-reports.ts'
import { startRequestProxy } from './imported-application.ts'
import { closeServers } from './other-servers.ts'
import { appcenterMember } from './release-sources/appcenter.ts'
import { giteaMember } from './release-sources/gitea.ts'
import { githubMember } from './release-sources/github.ts'
import { gitlabMember } from './release-sources/gitlab.ts'
import { token } from './release-sources/member.ts'
import type { StartedService, TestRelease } from './release-sources/member.ts'
import { s3Member } from './release-sources/s3.ts'
import type { WebServer } from './release-sources/web-server.ts'
import { zealotMember } from './release-sources/zealot.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { startQuayside } from './run-quayside.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

// The services cannot run here, except S3. Servers on loopback speak the recorded shapes of their APIs.
const members = [githubMember, gitlabMember, giteaMember, zealotMember, s3Member, appcenterMember]

const otherKey = 'key-of-another-server-0123456789'

type Summary = Report & { state: string }

let service: Service
let client: QuaysideClient

before(async () => {
  service = await startService()
  client = createClient({ baseUrl: service.url, apiKey: bootstrapKey })
})
after(async () => {
  closeServers()
  await service.close()
})

const releases: TestRelease[] = ['1.0.0', '1.1.0-rc.1', '1.1.0'].map((version, index) => ({
  version,
  notes: `# Version ${version}\n\n- a map`,
  date: `2024-0${index + 1}-01T10:00:00.000Z`,
  filename: `compass-${version}.apk`,
  bytes: randomBytes(60_000 + index),
}))
const later: TestRelease = {
  version: '2.0.0',
  notes: 'A compass',
  date: '2024-09-01T10:00:00.000Z',
  filename: '..\\..\\compass-2.0.0.apk',
  bytes: randomBytes(50_000),
}

/** Returns what was imported, oldest first, without IDs. */
async function describeImported(application_id: string) {
  const builds = await allItems((page) => client.listBuilds({ application_id, sort: 'asc', page }))
  const full = await Promise.all(
    builds.map(async ({ id: build_id }) => (await client.getBuild({ application_id, build_id })).data),
  )
  const listed = await allItems((page) => client.listReleases({ application_id, sort: 'asc', page }))
  const found = await Promise.all(
    listed.map(async ({ id: release_id }) => (await client.getRelease({ application_id, release_id })).data),
  )
  return {
    builds: full.map(({ version, platform, primary_file: file, built_at }) => ({
      version,
      platform: platform.identifier,
      file: [file.filename, file.size_bytes, file.checksum_md5],
      builtAt: built_at?.slice(0, 10),
    })),
    releases: found.map(({ title, version, status, notes, builds: contained }) => ({
      title,
      version,
      status,
      notes: notes?.replace(/ at <[^>]*>\.$/, '.'),
      builds: contained.map((build) => build.version),
    })),
  }
}

const dayOf = (text: string | undefined): string => text?.slice(0, 10) ?? ''
const today = (): string => new Date().toISOString().slice(0, 10)

for (const member of members) {
  describe(`import --from ${member.name}`, { skip: member.skip ?? false }, () => {
    after(() => member.stop?.())

    const importArgs = ({ args }: StartedService) => [
      'import',
      ...args,
      '--state',
      join(service.folder, randomUUID()),
    ]
    const expected = (published: TestRelease[]) => ({
      builds: published.map(({ version, filename, bytes, date }) => ({
        version,
        platform: 'android',
        file: [filename.split('\\').at(-1), bytes.length, createHash('md5').update(bytes).digest('hex')],
        builtAt: member.keepsDates ? dayOf(date) : today(),
      })),
      releases: published.map((release) => ({
        title: member.titleOf(release),
        version: release.version,
        status: 'published',
        notes: `${release.notes}\n\nFirst published on ${member.keepsDates ? dayOf(release.date) : today()}.`,
        builds: [release.version],
      })),
    })

    test('imports releases with files, notes and dates, and later only what was added', async () => {
      const started = await member.start()
      for (const release of releases) await started.publish(release)
      const args = importArgs(started)
      const env = { ...started.env, QUAYSIDE_FROM_API_KEY: otherKey }
      const first = await jsonInProcess<Summary>(service, args, { env })
      assert.deepEqual([first.builds, first.releases, first.failed_builds], [3, 3, 0])
      assert.deepEqual(await describeImported(first.application_id), expected(releases))
      const second = await jsonInProcess<Summary>(service, args, { env })
      assert.deepEqual([second.builds, second.releases], [0, 0])
      assert.equal(second.application_id, first.application_id)
      const added = { ...later, filename: member.name === 'GitHub' ? later.filename : 'compass-2.0.0.apk' }
      await started.publish(added)
      const third = await jsonInProcess<Summary>(service, args, { env })
      assert.deepEqual([third.builds, third.releases], [1, 1])
      assert.deepEqual(await describeImported(first.application_id), expected([...releases, added]))
      const textOf = ({ url, headers }: WebServer['requests'][number]) => url + JSON.stringify(headers)
      const sent = (started.storage?.requests ?? []).map(textOf)
      assert.equal(
        sent.find((text) => text.includes(token)),
        undefined,
        'the token was sent to another host',
      )
      const received = (started.api?.requests ?? []).map(textOf)
      assert.equal(
        received.find((text) => text.includes(otherKey)),
        undefined,
        'the key of another server was sent to the service',
      )
    })

    test('resumes after it was killed, without losing or repeating anything', async () => {
      const started = await member.start()
      for (const release of releases) await started.publish(release)
      let requests = 0
      let kill = () => {}
      let limit = 0
      const url = await startRequestProxy(service, () => {
        if (++requests === limit) kill()
        return false
      })
      const args = importArgs(started)
      for (const requestsUntilKill of [13, Infinity]) {
        requests = 0
        limit = requestsUntilKill
        const { child, ended } = startQuayside({ ...service, url }, args, { env: started.env })
        kill = () => child.kill('SIGKILL')
        const { code, signal, stderr } = await ended
        if (requestsUntilKill === Infinity) assert.equal(code, 0, stderr)
        else assert.equal(signal, 'SIGKILL', stderr)
      }
      const { application_id, builds } = await jsonInProcess<Summary>(service, args, { env: started.env })
      assert.equal(builds, 0)
      assert.deepEqual(await describeImported(application_id), expected(releases))
    })
  })
}

const webMembers = members.filter(({ name }) => name !== 'S3' && name !== 'App Center')

for (const member of webMembers) {
  describe(`a faulty ${member.name}`, () => {
    const start = async () => {
      const started = await member.start()
      const [release] = releases
      assert.ok(release !== undefined && started.api !== undefined)
      await started.publish(release)
      const args = ['import', ...started.args, '--state', join(service.folder, randomUUID())]
      return { ...started, api: started.api, release, args }
    }

    test('continues a download after the connection was closed', async () => {
      const { api, storage, args, env, release } = await start()
      const files = storage ?? api
      let cuts = 0
      const ranges: string[] = []
      files.intercept = (request, response) => {
        if (request.headers.range !== undefined) ranges.push(request.headers.range)
        // The first two requests to Zealot only read the headers of the file.
        const isFile = storage !== undefined || /^\/download\/releases\/\d+\//.test(request.url ?? '')
        if (!isFile || cuts === (storage === undefined ? 2 : 1)) return false
        cuts++
        response.writeHead(200, {
          'content-length': String(release.bytes.length),
          'content-disposition': `attachment; filename="${release.filename}"`,
        })
        response.write(release.bytes.subarray(0, 20_000), () => setTimeout(() => response.destroy(), 50))
        return true
      }
      const { builds } = await jsonInProcess<Summary>(service, args, { env })
      assert.equal(builds, 1)
      assert.match(ranges.join(), /^bytes=\d+-/)
    })

    test('waits as long as the service asks', async () => {
      const { api, args, env } = await start()
      const answers: [number, Record<string, string>][] = [
        [429, { 'retry-after': '1' }],
        [503, {}],
        [
          403,
          { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 1) },
        ],
      ]
      api.intercept = (_request, response) => {
        const [status, headers] = answers.pop() ?? []
        if (status === undefined) return false
        response.writeHead(status, headers).end()
        return true
      }
      const { code, stderr } = await runInProcess(service, args, { env })
      assert.equal(code, 0, stderr)
      assert.match(stderr, /limits the rate of requests\. Waiting \d s\./)
      assert.match(stderr, /it responded with HTTP 503\. Retrying\./)
    })

    test('stops with a clear message if a limit lasts longer than 15 minutes', async () => {
      const { api, args, env } = await start()
      api.intercept = (_request, response) => {
        response.writeHead(429, { 'retry-after': '3600' }).end()
        return true
      }
      const { code, stderr } = await runInProcess(service, args, { env })
      assert.equal(code, 4)
      assert.match(stderr, /limits the rate of requests until .*Z\. Rerun the command then to resume\./)
    })

    test('rejects responses that are not JSON, too large or redirects to other hosts', async () => {
      const cases: [(url: string) => [number, Record<string, string>, string | Buffer], RegExp][] = [
        [
          () => [200, { 'content-type': 'text/html' }, '<html>'],
          /A response of \w+ is not JSON\. Check --url\./,
        ],
        [() => [200, {}, Buffer.alloc(34 * 1024 * 1024, '[')], /is larger than 32 MiB/],
        [(url) => [302, { location: url }, ''], /redirects in a loop\. Check --url\./],
        [() => [302, { location: 'http://127.0.0.1:1/' }, ''], /redirects to 127\.0\.0\.1:1\. If you trust/],
        [() => [302, { location: 'file:///etc/passwd' }, ''], /redirects to an invalid URL\. If you trust/],
        [() => [401, {}, '{}'], /rejected the token\. Check [A-Z_]+\./],
        [() => [404, {}, '{}'], /does not have this, or does not show it\. Check [A-Z_]+\./],
      ]
      const { api, args, env } = await start()
      const before = (await client.listApplications({ per_page: 1 })).pagination.total
      for (const [respond, message] of cases) {
        api.intercept = ({ url = '' }, response) => {
          const [status, headers, body] = respond(url)
          response.writeHead(status, headers).end(body)
          return true
        }
        const { code, stderr } = await runInProcess(service, args, { env })
        assert.match(stderr, message)
        assert.ok([1, 3].includes(code), `exit code ${code}`)
        assert.ok(!stderr.includes(token), 'the message contains the token')
      }
      assert.equal((await client.listApplications({ per_page: 1 })).pagination.total, before)
    })
  })
}
