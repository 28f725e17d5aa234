import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { missing } from '../../../../test/inspection/programs.ts'
import { buildHarborDeb, runClient } from '../../../../test/packages.ts'
import { startTamperingProxy } from '../../../../test/tampering-proxy.ts'
import { until } from '../../../../test/until.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
let folder: string

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-apt-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const index = 'dists/stable/main/binary-amd64/Packages.gz'

async function publish(version: string, fields?: string): Promise<Buffer> {
  const bytes = buildHarborDeb(folder, version, fields)
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  await calls.uploadPackage([major, minor, patch], { filename: `harbor ${version}.deb`, bytes })
  return bytes
}

/** Creates an empty root with one source. The options keep apt away from the system and check times as a system does. */
async function createRoot(name: string, source: string) {
  const root = join(folder, name)
  for (const path of [
    'etc/apt/preferences.d',
    'etc/apt/apt.conf.d',
    'lists/partial',
    'cache/archives/partial',
    'dpkg',
  ])
    await mkdir(join(root, path), { recursive: true })
  // The options of the system do not apply.
  await writeFile(join(root, 'apt.conf'), `Dir::Etc::Parts "${join(root, 'etc/apt/apt.conf.d')}";\n`)
  await writeFile(join(root, 'dpkg/status'), '')
  await writeFile(join(root, 'sources.list'), `${source}\n`)
  const options = {
    'Dir::Etc': join(root, 'etc/apt'),
    'Dir::Etc::SourceList': join(root, 'sources.list'),
    'Dir::Etc::SourceParts': '-',
    'Dir::State': root,
    'Dir::State::Lists': join(root, 'lists'),
    'Dir::State::Status': join(root, 'dpkg/status'),
    'Dir::Cache': join(root, 'cache'),
    'APT::Architecture': 'amd64',
    'APT::Sandbox::User': 'root',
    'Acquire::Check-Valid-Until': 'true',
    'Acquire::Check-Date': 'true',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '0',
    'APT::Get::List-Cleanup': 'true',
    'Debug::NoLocking': 'true',
  }
  const flags = Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`])
  const apt = (...args: string[]) =>
    runClient('apt-get', [...flags, '-q', '-y', ...args], root, { APT_CONFIG: join(root, 'apt.conf') })
  return { root, apt }
}

test(
  'installs and updates with apt, and rejects a tampered package and a tampered index',
  { skip: missing('apt-get', 'dpkg-deb') },
  async () => {
    tenant = await service.tenant({ platforms: ['linux'] })
    calls = channelCalls(service, tenant)
    const channel = await calls.createChannel({ stream: 'default', formats: ['apt'], access: 'read_keys' })
    const first = await publish('1.0.0')
    const { key } = (await calls.send('POST', `/channels/${channel.id}/read-keys`, { name: 'Acme' })).body
      .data
    const base = `${channel.url}/apt`
    const inPath = `${channel.url}/k/${key}/apt`
    assert.equal((await readFeed(`${base}/${index}`)).status, 401)
    await writeFile(join(folder, 'key.asc'), (await readFeed(`${inPath}/key.asc`)).text)
    const line = (url: string) => `deb [signed-by=${join(folder, 'key.asc')}] ${url} stable main`
    const { root, apt } = await createRoot('root', line(base))
    const { host, pathname } = new URL(base)
    await writeFile(
      join(root, 'etc/apt/auth.conf'),
      `machine http://${host}${pathname} login acme password ${key}\n`,
    )

    const update = await apt('update')
    assert.equal(update.code, 0, update.text)
    assert.doesNotMatch(update.text, /^[WE]:/m, update.text)
    const downloaded = await apt('download', 'harbor')
    assert.equal(downloaded.code, 0, downloaded.text)
    assert.deepEqual(await readFile(join(root, 'harbor_1.0.0_all.deb')), first)

    const before = await readFeed(`${inPath}/dists/stable/InRelease`)
    const oldHash =
      / ([0-9a-f]{64}) \d+ main\/binary-amd64\/Packages\.gz/.exec(before.text)?.[1] ?? assert.fail()
    const second = await publish('2.0.0', 'Depends: harbor-missing\n')
    await until(
      'the index names 2.0.0',
      async () => !(await readFeed(`${inPath}/dists/stable/InRelease`)).text.includes(oldHash),
    )
    const old = await readFeed(`${inPath}/dists/stable/main/binary-amd64/by-hash/SHA256/${oldHash}`)
    assert.equal(old.status, 200, 'the previous index stays available')
    assert.equal((await apt('update')).code, 0)
    assert.equal((await apt('download', 'harbor')).code, 0)
    assert.deepEqual(await readFile(join(root, 'harbor_2.0.0_all.deb')), second)
    const blocked = await apt('install', '--simulate', 'harbor')
    assert.match(blocked.text, /Depends: harbor-missing but it is not installable/)

    const tampered = await startTamperingProxy(service.url)
    try {
      const { root: other, apt: aptThere } = await createRoot(
        'tampered',
        line(inPath.replace(service.url, tampered.url)),
      )
      assert.equal((await aptThere('update')).code, 0)
      tampered.change(/\/pool\/|\/storage|\.deb/)
      const broken = await aptThere('download', 'harbor')
      assert.notEqual(broken.code, 0)
      assert.match(broken.text, /Hash Sum mismatch|unexpected size/, broken.text)
      tampered.change(/Packages|by-hash/)
      await rm(join(other, 'lists'), { recursive: true })
      await mkdir(join(other, 'lists/partial'), { recursive: true })
      const index = await aptThere('update')
      assert.match(index.text, /Hash Sum mismatch|unexpected size/, index.text)
      tampered.change(/InRelease/)
      const release = await aptThere('update')
      assert.match(release.text, /BADSIG|NODATA|not valid|no longer signed|NOSPLIT/i, release.text)
    } finally {
      await tampered.close()
    }
  },
)
