import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { missing } from '../../../../test/inspection/programs.ts'
import { buildHarborRpm, runClient } from '../../../../test/packages.ts'
import { startTamperingProxy } from '../../../../test/tampering-proxy.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
let folder: string
let channel: { id: string; url: string }
let tampered: Awaited<ReturnType<typeof startTamperingProxy>>

const isSkipped = missing('rpmbuild')
const primary = /repodata\/([0-9a-f]{64})-primary/

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-rpm-'))
  tampered = await startTamperingProxy(service.url)
  tenant = await service.tenant({ platforms: ['linux'] })
  calls = channelCalls(service, tenant)
  channel = await calls.createChannel({ stream: 'default', formats: ['rpm'] })
  if (isSkipped === false) await publish('1.0.0')
})
after(async () => {
  await tampered.close()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function publish(version: string): Promise<void> {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const filename = `harbor <${version}>.rpm`
  const repomd = `${channel.url}/rpm/repodata/repomd.xml`
  const indexIn = (text: string) => primary.exec(text)?.[1] ?? ''
  const before = indexIn((await readFeed(repomd)).text)
  await calls.uploadPackage([major, minor, patch], { filename, bytes: buildHarborRpm(folder, version) })
  await calls.readUntil(repomd, ({ text }) => indexIn(text) !== before)
}

/** Creates an empty root whose only repository is the file that the channel serves, at the URL of a server. */
async function createRoot(name: string, server: string) {
  const root = join(folder, name)
  const repositories = join(root, 'repos')
  // dnf does not create the folder of its logs.
  for (const path of [repositories, join(root, 'log')]) await mkdir(path, { recursive: true })
  const url = `${server}${new URL(channel.url).pathname}/rpm`
  const { text } = await readFeed(`${url}/${channel.id}.repo`)
  await writeFile(join(repositories, 'harbor.repo'), text.replaceAll(service.url, server))
  return { root, repositories }
}

async function dnfIn(name: string, server: string) {
  const { root, repositories } = await createRoot(name, server)
  const options = [
    '-y',
    `--installroot=${join(root, 'install')}`,
    `--setopt=reposdir=${repositories}`,
    `--setopt=cachedir=${join(root, 'cache')}`,
    `--setopt=logdir=${join(root, 'log')}`,
    `--setopt=persistdir=${join(root, 'persist')}`,
    '--setopt=pluginpath=/nonexistent',
    '--setopt=retries=1',
    '--releasever=1',
    '--forcearch=x86_64',
  ]
  return { root, dnf: (...args: string[]) => runClient('dnf', [...options, ...args], root) }
}

test(
  'installs and updates with dnf, and rejects a tampered package and a tampered index',
  { skip: isSkipped === false ? missing('dnf') : isSkipped },
  async () => {
    const { root, dnf } = await dnfIn('dnf', service.url)
    const installed = await dnf('install', 'harbor')
    assert.equal(installed.code, 0, installed.text)
    assert.match(installed.text, /harbor\s+noarch\s+1\.0\.0-1/, installed.text)
    assert.ok((await readdir(join(root, 'install/usr/share/harbor'))).includes('version'))
    await publish('2.0.0')
    const updated = await dnf('--refresh', 'upgrade', 'harbor')
    assert.match(updated.text, /harbor\s+noarch\s+2\.0\.0-1/, updated.text)

    const { dnf: elsewhere } = await dnfIn('dnf-tampered', tampered.url)
    tampered.change(/primary/)
    assert.match((await elsewhere('makecache')).text, /checksum/i)
    tampered.change(/repomd\.xml$/)
    assert.match((await elsewhere('makecache')).text, /GPG|signature|XML/i)
    tampered.change(/\/pool\//)
    const refused = await elsewhere('install', 'harbor')
    assert.notEqual(refused.code, 0, refused.text)
    assert.match(refused.text, /checksum|mismatch/i, refused.text)
  },
)

test(
  'installs with zypper, and rejects a tampered package and a tampered index',
  { skip: isSkipped === false ? missing('zypper', 'gpg2') : isSkipped },
  async () => {
    const zypperIn = async (name: string, server: string) => {
      const { root, repositories } = await createRoot(name, server)
      const run = (...args: string[]) =>
        runClient(
          'zypper',
          ['--root', join(root, 'install'), '--non-interactive', '--gpg-auto-import-keys', ...args],
          root,
        )
      const added = await run('addrepo', '--refresh', join(repositories, 'harbor.repo'))
      assert.equal(added.code, 0, added.text)
      return { root, zypper: run }
    }
    const { zypper } = await zypperIn('zypper', service.url)
    const installed = await zypper('install', 'harbor')
    assert.equal(installed.code, 0, installed.text)
    assert.match(installed.text, /Installing: harbor-\d/, installed.text)

    const { zypper: elsewhere } = await zypperIn('zypper-tampered', tampered.url)
    tampered.change(/primary/)
    const index = await elsewhere('refresh')
    assert.notEqual(index.code, 0, index.text)
    tampered.change(/repomd\.xml$/)
    const release = await elsewhere('refresh')
    assert.match(release.text, /signature verification failed/i, release.text)
    tampered.change(/\/pool\//)
    const broken = await elsewhere('install', '--download-only', 'harbor')
    assert.notEqual(broken.code, 0, broken.text)
    assert.match(broken.text, /checksum|digest/i, broken.text)
  },
)
