import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { missing, run, runText, succeeds } from '../../../../test/inspection/programs.ts'
import { edSignature } from '../adapters/samples/formats.fixture.ts'
import { hostileTexts } from '../adapters/samples/hostile-texts.fixture.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
let folder: string

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-updaters-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function newApplication(): Promise<void> {
  tenant = await service.tenant({ platforms: ['linux', 'macos', 'windows'] })
  calls = channelCalls(service, tenant)
}

test('passes on the minisign signature that Tauri verifies', { skip: missing('minisign') }, async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default', formats: ['tauri'] })
  const path = (name: string) => join(folder, name)
  run('minisign', ['-G', '-W', '-f', '-p', path('key.pub'), '-s', path('key.sec')])
  const bytes = randomBytes(10_000)
  const filename = 'harbor_2.0.0_amd64.AppImage'
  await writeFile(path(filename), bytes)
  run('minisign', ['-S', '-s', path('key.sec'), '-m', path(filename), '-x', path('bundle.minisig')], '')
  const signature = (await readFile(path('bundle.minisig'))).toString('base64')
  await calls.uploadVersion([2, 0, 0], { filename, bytes, artifacts: { [`${filename}.sig`]: signature } })
  const { text } = await calls.readUntil(
    `${channel.url}/tauri/linux/x86_64/1.0.0/appimage`,
    ({ status }) => status === 200,
  )
  const update = JSON.parse(text) as { version: string; url: string; signature: string }
  assert.equal(update.version, '2.0.0')
  await writeFile(path('received.minisig'), Buffer.from(update.signature, 'base64'))
  const downloaded = Buffer.from(await (await fetch(update.url)).arrayBuffer())
  const verifies = async (content: Buffer) => {
    await writeFile(path('received'), content)
    return succeeds('minisign', [
      '-V',
      '-p',
      path('key.pub'),
      '-m',
      path('received'),
      '-x',
      path('received.minisig'),
    ])
  }
  assert.equal(await verifies(downloaded), true)
  assert.equal(await verifies(Buffer.concat([downloaded, Buffer.from('x')])), false)
  // A client that was installed as .deb cannot install an AppImage.
  assert.equal((await readFeed(`${channel.url}/tauri/linux/x86_64/1.0.0/deb`)).status, 204)
  const all = await readFeed(`${channel.url}/tauri/latest.json`)
  assert.deepEqual(Object.keys(JSON.parse(all.text).platforms), ['linux-x86_64-appimage', 'linux-x86_64'])
})

test('writes feeds that xmllint accepts', { skip: missing('xmllint') }, async () => {
  await newApplication()
  const channel = await calls.createChannel({ formats: ['sparkle', 'winsparkle'] })
  const filename = 'Harbor-2.0.0.zip'
  const artifacts = { [`${filename}.sig`]: edSignature('x') }
  const build = await calls.uploadVersion([2, 0, 0], {
    platform: 'macos',
    filename,
    bytes: Buffer.from('zip'),
    artifacts,
  })
  const notes = hostileTexts
    .map((text) => text.toWellFormed().replaceAll('\0', '').slice(0, 200))
    .join('\n\n')
  await calls.release([2, 0, 0], [build], { title: '"><![CDATA[ & ]]>', notes })
  const { text, headers } = await calls.readUntil(`${channel.url}/sparkle/appcast.xml`, ({ text: xml }) =>
    xml.includes('<enclosure'),
  )
  assert.equal(headers.get('content-type'), 'application/rss+xml; charset=utf-8')
  const versions = runText(
    'xmllint',
    ['--nonet', '--xpath', "//*[local-name()='shortVersionString']/text()", '-'],
    text,
  )
  assert.equal(versions.trim(), '2.0.0')
  const { text: empty } = await readFeed(`${channel.url}/winsparkle/appcast.xml`)
  run('xmllint', ['--nonet', '--noout', '-'], empty)
})

test('passes a feed on that its uploader has signed as a whole', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default', formats: ['sparkle'] })
  const xml = `<?xml version="1.0"?>\r\n<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel><item><sparkle:version>2</sparkle:version><enclosure url="2.0.0/Harbor.zip" sparkle:edSignature="${edSignature('x')}"/></item></channel></rss>\n<!-- sparkle-signatures:\nedSignature: ${edSignature('feed')}\nlength: 1\n-->\n`
  await calls.uploadVersion([2, 0, 0], {
    platform: 'macos',
    filename: 'Harbor.zip',
    bytes: randomBytes(8),
    artifacts: { 'appcast.xml': xml, [`${randomUUID()}.xml`]: '<x/>' },
  })
  const { text } = await calls.readUntil(`${channel.url}/sparkle/appcast.xml`, ({ status }) => status === 200)
  assert.equal(text, xml)
  assert.equal((await readFeed(`${channel.url}/sparkle/2.0.0/Harbor.zip`)).status, 302)
})
