import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isUnavailable, repeatWhile } from '../../../../test/acceptance/repeat-while.ts'
import { channelCalls } from '../../../../test/channels.ts'
import { debianPackage } from '../../../../test/debian-package.ts'
import { feedReaders, get, type NamedFile } from '../../../../test/feed-readers.ts'
import type { Service } from '../../../../test/harness.ts'
import { missing } from '../../../../test/inspection/programs.ts'
import { buildHarborPacman, buildHarborRpm } from '../../../../test/packages.ts'
import { startTwoNodes } from '../../../../test/two-nodes.ts'
import { until } from '../../../../test/until.ts'

const readerCount = Number(process.env['QUAYSIDE_FEED_READERS'] ?? 18)
const buildCount = Number(process.env['QUAYSIDE_FEED_BUILDS'] ?? 30)
const rpmCount = 8

let nodes: [Service, Service]
let close: () => Promise<void>
let folder: string

before(async () => {
  const { first, second, close: closeNodes } = await startTwoNodes()
  close = closeNodes
  // Documents contain the public URL, which is the same on every node.
  Object.assign(second.deps.config, { publicUrl: first.url })
  nodes = [first, second]
  folder = await mkdtemp(join(tmpdir(), 'quayside-storm-'))
})
after(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the service with calls that are repeated while the database of a busy machine takes too long. */
const repeatingRefused = (service: Service): Service => ({
  ...service,
  call: (...call) => repeatWhile(isUnavailable, () => service.call(...call)),
})

const hexOf = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex')
const pick = <T>(values: readonly T[]): T =>
  values[randomInt(values.length)] ?? assert.fail('nothing to pick')

/** Returns the build of a number. Every tenth one has the version and the name of the one before, with other bytes. */
function buildOf(number: number) {
  const minor = number % 10 === 9 ? number - 5 : number
  const version = `1.${minor}.0`
  const bytes = Buffer.from(`build ${number} of ${version}`)
  const file = (platform: string, filename: string, artifacts = {}) => ({
    platform,
    filename,
    bytes,
    artifacts,
  })
  const signature = { sig: Buffer.from(hexOf('sha256', bytes)).toString('base64') }
  const fields = [
    () =>
      file('windows', `Harbor-${version}.zip`, {
        [`Harbor-${version}.zip.scoop.json`]: '{"bin":"harbor.exe"}',
      }),
    () =>
      file('windows', `Harbor-Setup-${version}.exe`, { [`Harbor-Setup-${version}.exe.sig`]: signature.sig }),
    () => file('windows', `Harbor-${version}-full.nupkg`),
    () => ({
      platform: 'linux',
      filename: `harbor-${version}.deb`,
      bytes: debianPackage({ Package: 'harbor', Version: `${version}-${number}`, Architecture: 'amd64' }),
    }),
    () =>
      number % 10 === 4 && number / 10 < rpmCount
        ? {
            platform: 'linux',
            filename: `harbor-${version}.rpm`,
            bytes: buildHarborRpm(folder, `1.${number}.0`),
          }
        : {
            platform: 'linux',
            filename: `harbor-${version}-1-any.pkg.tar.zst`,
            bytes: buildHarborPacman(`1.${number}.0`),
          },
  ]
  return {
    version: [1, minor, 0] as [number, number, number],
    fields: (fields[number % 5] ?? assert.fail())(),
  }
}

test(
  `shows ${readerCount} clients no missing file and no wrong checksum while ${buildCount} builds come and go`,
  { skip: missing('rpmbuild') },
  async () => {
    const [first] = nodes
    const tenant = await first.tenant({ platforms: ['linux', 'windows'] })
    const calls = channelCalls(repeatingRefused(first), tenant)
    const created = await calls.send('POST', '/streams', { name: 'attic' })
    assert.equal(created.status, 201, created.text)
    const formats = Object.keys(feedReaders)
    const channels = [
      await calls.createChannel({ stream: 'default', formats }),
      await calls.createChannel({ name: 'Releases', formats }),
    ]
    const faults: string[] = []
    const over = new AbortController()
    const checked = new Map(formats.map((format) => [format, 0]))

    const onAnyNode = (url: string) => url.replace(first.url, pick(nodes).url)
    async function check(format: string, channel: { url: string }, { url, algorithm, hex }: NamedFile) {
      const absolute = URL.canParse(url) ? url : `${channel.url}/${url}`
      const { status, location = '' } = await get(onAnyNode(absolute))
      if (status !== 302) return faults.push(`${format}: ${absolute}: ${status}`)
      const file = await get(location)
      if (file.status !== 200) return faults.push(`${format}: ${absolute} leads to ${file.status}`)
      if (hexOf(algorithm, file.body) !== hex) faults.push(`${format}: ${absolute} has other bytes`)
      checked.set(format, (checked.get(format) ?? 0) + 1)
      return undefined
    }
    async function readOnce(number: number): Promise<void> {
      const format = formats[number % formats.length] ?? ''
      const channel = pick(channels)
      const read = (path: string) => get(onAnyNode(`${channel.url}/${path}`))
      // A format without a version has no document.
      const named = await (feedReaders[format]?.(read) ?? Promise.resolve([])).catch((error: Error) => {
        if (!error.message.endsWith(': 404') || /by-hash|objects|repodata\/[0-9a-f]/.test(error.message))
          faults.push(`${format}: ${error.message}`)
        return []
      })
      const newest = named.slice(0, 1)
      for (const each of named.length > 1 ? [...newest, pick(named)] : newest)
        await check(format, channel, each)
    }
    const readers = Array.from({ length: readerCount }, async (_, number) => {
      while (!over.signal.aborted) await readOnce(number)
    })

    const published: string[] = []
    let next = 0
    async function publish(): Promise<void> {
      while (next < buildCount) {
        const { version, fields } = buildOf(next++)
        const id = await calls.uploadVersion(version, fields)
        published.push(id)
        const other = pick(published)
        const action = randomInt(5)
        if (action === 0) await calls.send('PUT', `/builds/${other}/stream`, { stream: 'attic' })
        if (action === 1) await calls.send('PUT', `/builds/${other}/stream`, { stream: 'default' })
        if (action === 2) await calls.send('DELETE', `/builds/${other}`)
        if (action === 3) await calls.send('POST', `/builds/${other}/restore`)
        if (action === 4) {
          const { body } = await calls.send('GET', '/releases')
          const [release] = body.data as { id: string; status: string }[]
          if (release === undefined || randomInt(2) === 0)
            await calls.send('POST', '/releases', releaseOf(version, id))
          else
            await calls.send(
              'POST',
              `/releases/${release.id}/${release.status === 'published' ? 'withdraw' : 'publish'}`,
            )
        }
      }
    }
    try {
      await Promise.all([publish(), publish(), publish()])
      await until(
        'every format was read, or a fault was found',
        async () => faults.length > 0 || [...checked.values()].every((count) => count > 0),
      )
    } finally {
      over.abort()
      await Promise.all(readers)
      assert.deepEqual(
        faults.slice(0, 20),
        [],
        `${faults.length} faults; files read: ${JSON.stringify([...checked])}`,
      )
    }
  },
)

const releaseOf = ([major, minor, patch]: [number, number, number], id: string) => ({
  title: `Harbor ${major}.${minor}`,
  version_component_1_major: major,
  version_component_2_minor: minor,
  version_component_3_patch: patch,
  build_ids: [id],
})
