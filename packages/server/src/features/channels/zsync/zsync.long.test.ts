import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service } from '../../../../test/harness.ts'
import { missing, run } from '../../../../test/inspection/programs.ts'
import { runClient } from '../../../../test/packages.ts'
import { startTamperingProxy } from '../../../../test/tampering-proxy.ts'
import { md4OfWords } from '../../../crypto/md4.ts'
import { blockSums, layoutFor } from './control-file.ts'

let service: Service
let folder: string

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-zsync-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const path = (name: string) => join(folder, name)

test('computes MD4 as RFC 1320 describes it', () => {
  assert.equal(md4OfWords(new Int32Array(0)).toString('hex'), '31d6cfe0d16ae931b73c59d7e0c089c0')
})

test('computes the checksums of blocks that zsyncmake computes', { skip: missing('zsyncmake') }, async () => {
  for (const sizeBytes of [1, 2047, 2048, 2049, 4096, 70_001, 1_000_000, 9_000_000, 100_000_001]) {
    const bytes = sizeBytes > 10_000_000 ? Buffer.alloc(sizeBytes, randomBytes(997)) : randomBytes(sizeBytes)
    await writeFile(path('file'), bytes)
    run('zsyncmake', ['-u', 'x', '-f', 'file', '-o', path('file.zsync'), path('file')])
    const expected = await readFile(path('file.zsync'))
    const end = expected.indexOf('\n\n')
    const layout = layoutFor(sizeBytes)
    const header = expected.toString('latin1', 0, end)
    assert.match(header, new RegExp(`^Blocksize: ${layout.blockBytes}$`, 'm'), `${sizeBytes}`)
    const lengths = `${layout.matches},${layout.rollingBytes},${layout.strongBytes}`
    assert.match(header, new RegExp(`^Hash-Lengths: ${lengths}$`, 'm'), `${sizeBytes}`)
    const chunks = Array.from({ length: Math.ceil(sizeBytes / 65_537) }, (_, index) =>
      bytes.subarray(index * 65_537, (index + 1) * 65_537),
    )
    const sums = await blockSums(Readable.from(chunks), layout)
    assert.ok(sums.equals(expected.subarray(end + 2)), `${sizeBytes} bytes`)
  }
})

async function publishImage({
  artifacts,
}: {
  artifacts?: (filename: string) => Promise<Record<string, Buffer>>
}) {
  const calls = channelCalls(service, await service.tenant({ platforms: ['linux'] }))
  const channel = await calls.createChannel({ stream: 'default', formats: ['appimage'] })
  const old = randomBytes(2_000_000)
  const next = Buffer.concat([old.subarray(0, 900_000), randomBytes(5_000), old.subarray(900_000)])
  const filename = 'Harbor-2.0.0-x86_64.AppImage'
  await writeFile(path('old.AppImage'), old)
  await writeFile(path(filename), next)
  await calls.uploadVersion([2, 0, 0], {
    filename,
    bytes: next,
    artifacts: (await artifacts?.(filename)) ?? {},
  })
  const control = `${channel.url}/appimage/latest-x86_64.AppImage.zsync`
  await calls.readUntil(control, ({ status }) => status === 200)
  return { control, next, calls }
}

/** Updates the old image with zsync. Returns its exit code, what it prints and the new image. */
async function update(control: string) {
  await rm(path('new.AppImage'), { force: true })
  const result = await runClient(
    'zsync',
    ['-i', path('old.AppImage'), '-o', path('new.AppImage'), control],
    folder,
  )
  return { ...result, image: await readFile(path('new.AppImage')).catch(() => undefined) }
}

const zsync = { skip: missing('zsync', 'zsyncmake') }

test('updates an AppImage with zsync from the blocks of the old one', zsync, async () => {
  const { control, next } = await publishImage({})
  const { code, text, image } = await update(control)
  assert.equal(code, 0, text)
  assert.ok(image?.equals(next))
  const [, fetched = ''] = /fetched (\d+)/.exec(text) ?? []
  assert.ok(Number(fetched) < next.length * 0.05, text)
  const { matches, rollingBytes, strongBytes } = layoutFor(next.length)
  const [kept] = await service.deps.db.selectFrom('file_block_sums').select('sums').execute()
  assert.equal(kept?.sums.length, Math.ceil(next.length / 2048) * (rollingBytes + strongBytes))
  assert.equal(matches, 2)
})

test('prefers the control file of the uploader', zsync, async () => {
  const { control, next } = await publishImage({
    artifacts: async (filename) => {
      const made = path('control.zsync')
      const url = 'https://elsewhere.example/x.AppImage'
      run('zsyncmake', ['-b', '4096', '-u', url, '-f', filename, '-o', made, path(filename)])
      return { [`${filename}.zsync`]: await readFile(made) }
    },
  })
  const { text: header } = await readFeed(control)
  assert.match(header, /^Blocksize: 4096$/m)
  assert.doesNotMatch(header, /elsewhere/)
  const { code, text, image } = await update(control)
  assert.equal(code, 0, text)
  assert.ok(image?.equals(next))
})

test('zsync rejects a tampered image and a tampered control file', zsync, async () => {
  const { control, next } = await publishImage({})
  const tampered = await startTamperingProxy(service.url)
  try {
    for (const changed of [/\/storage|Harbor-2/, /\.zsync/]) {
      tampered.change(changed)
      const { code, text, image } = await update(control.replace(service.url, tampered.url))
      assert.notEqual(code, 0, text)
      assert.ok(image === undefined || !image.equals(next), text)
    }
  } finally {
    await tampered.close()
  }
})
