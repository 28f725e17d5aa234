import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { inspectFile } from '../../src/inspection/inspect-file.ts'
import { InspectionError } from '../../src/inspection/inspection.ts'
import { buildApk, publishedApks, publishedIcon } from './android-packages.ts'
import { bufferSource, inspectBytes } from './inspect-bytes.ts'
import { createRandom } from './mutations.ts'
import { androidFramework, createCertificate, missing, run, succeeds, temporaryFolder } from './programs.ts'

const tamperedCount = Math.ceil(Number(process.env['QUAYSIDE_INSPECTION_MUTATIONS'] ?? 300) / 100)
const seed = Number(process.env['QUAYSIDE_SEED'] ?? 1)

async function statusOf(apk: Buffer): Promise<string | null | undefined> {
  try {
    const { android_info, file_info } = await inspectBytes(apk, 'apk')
    assert.equal(android_info?.package_signed, file_info?.signature_status === 'valid')
    return file_info?.signature_status
  } catch (error) {
    if (error instanceof InspectionError) return 'rejected'
    throw error
  }
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0x10
  return copy
}

const directoryOffset = (apk: Buffer): number => apk.readUInt32LE(apk.length - 6)

/** Returns an APK without its signing block. */
function withoutBlock(apk: Buffer): Buffer {
  const end = directoryOffset(apk)
  const start = end - 8 - Number(apk.readBigUInt64LE(end - 24))
  const copy = Buffer.concat([apk.subarray(0, start), apk.subarray(end)])
  copy.writeUInt32LE(start, copy.length - 6)
  return copy
}

/** Returns an APK whose block of a signature scheme has another ID, so that Android does not find it. */
function withoutScheme(apk: Buffer, id: string): Buffer {
  const end = directoryOffset(apk)
  const start = end - 8 - Number(apk.readBigUInt64LE(end - 24))
  const at = apk.indexOf(Buffer.from(id, 'hex'), start)
  assert.ok(at > 0)
  return flipped(apk, at)
}

describe('signatures of APKs', { skip: missing('aapt2', 'apksigner', 'openssl', androidFramework) }, () => {
  const folder = temporaryFolder()
  after(() => folder[Symbol.dispose]())
  const { key, certificate } = createCertificate(folder.path, '/CN=Quay Signer')

  function sign(minimumApi: number, ...options: string[]): Buffer {
    const apk = buildApk(folder.path, publishedIcon(), minimumApi)
    const [signed, keys] = [folder.path('signed.apk'), ['--key', key, '--cert', certificate]]
    run('apksigner', ['sign', ...keys, ...options, '--v4-signing-enabled', 'false', '--out', signed, apk])
    return readFileSync(signed)
  }

  function isVerified(apk: Buffer): boolean {
    writeFileSync(folder.path('changed.apk'), apk)
    return succeeds('apksigner', ['verify', folder.path('changed.apk')])
  }

  test('agrees with apksigner on changed packages', async () => {
    const all = sign(21, '--v1-signing-enabled', 'true')
    const [directory, manifest] = [directoryOffset(all), all.indexOf('META-INF/MANIFEST.MF')]
    const comment = Buffer.concat([all, Buffer.from('x')])
    comment.writeUInt16LE(1, all.length - 2)
    const cases: Record<string, Buffer> = {
      unchanged: all,
      'changed image': flipped(all, all.indexOf('IDAT') + 20),
      'changed JAR manifest': flipped(all, manifest + 60),
      'changed directory': flipped(all, directory + 12),
      'added comment': comment,
      'changed bytes of the block': flipped(all, directory - 4000),
      'removed scheme v2': withoutScheme(all, '1a870971'),
      'removed scheme v3': withoutScheme(all, 'c06853f0'),
      'removed block': withoutBlock(all),
      'scheme v1 is missing': sign(21, '--v1-signing-enabled', 'false'),
    }
    const random = createRandom(seed)
    for (let count = 0; count < tamperedCount; count++) {
      const at = random(all.length)
      cases[`changed byte ${at}`] = flipped(all, at)
    }
    for (const [name, apk] of Object.entries(cases)) {
      const expected = isVerified(apk)
      const found = await statusOf(apk)
      assert.equal(found === 'valid', expected, `${name}: ${found}`)
      assert.notEqual(found, 'unsigned', name)
    }
  })

  test('verifies the digests of fs-verity', async () => {
    const options = [
      '--verity-enabled',
      'true',
      '--v3-signing-enabled',
      'false',
      '--v1-signing-enabled',
      'false',
    ]
    const apk = sign(24, ...options)
    assert.ok(apk.includes(Buffer.from('21040000', 'hex')))
    assert.equal(await statusOf(apk), 'valid')
    // A digest of 40 bytes follows the ID of the algorithm.
    const changed = flipped(apk, apk.indexOf(Buffer.from('2104000028000000', 'hex')) + 10)
    assert.equal(await statusOf(changed), 'invalid')
  })

  test('verifies scheme v1 only if the app supports versions of Android that use it', async () => {
    for (const [minimumApi, expected] of [
      [23, 'invalid'],
      [24, 'valid'],
    ] as const)
      assert.equal(await statusOf(sign(minimumApi, '--v1-signing-enabled', 'false')), expected)
  })
})

describe('verification of an APK that takes too long', () => {
  const apk = readFileSync(publishedApks.v2)

  test('returns the signer with the status unknown', async () => {
    let reads = 0
    const mayContinue = () => ++reads < 8
    const { android_info, file_info } = await inspectFile(bufferSource(apk), 'apk', { mayContinue })
    assert.deepEqual(
      [file_info?.signature_status, file_info?.signer, android_info?.package_signed],
      ['unknown', 'Android Debug', false],
    )
    assert.match(android_info?.signing_cert_sha256 ?? '', /^[0-9a-f]{64}$/)
  })

  test('still returns the icon', async () => {
    const { icon, file_info } = await inspectFile(bufferSource(apk), 'apk', { mayContinue: () => false })
    assert.deepEqual([file_info?.signature_status, file_info?.signer], ['unknown', null])
    assert.equal(icon?.media_type, 'image/png')
  })
})
