import { createHash, sign } from 'node:crypto'
import {
  writeManifest,
  type Manifest,
} from '../../../packages/server/src/features/sample-application/files/android-manifest.ts'
import { join, u32, u64 } from '../../../packages/server/test/hostile/bytes.ts'
import { zipFile, type ZipEntry } from '../../../packages/server/test/inspection/zip-file.ts'
import type { Signer } from './certificate.ts'

type Apk = Omit<Manifest, 'iconPath'> & {
  icon: Buffer
  abis: readonly string[]
  content: Buffer
  signer: Signer
}

const iconPath = 'res/mipmap-xxhdpi/launcher.png'

/** Returns an APK with a manifest, an icon, native libraries and a signature of scheme v2. */
export function androidPackage({ icon, abis, content, signer, ...manifest }: Apk): Buffer {
  const share = Math.floor(content.length / (abis.length + 1))
  const entries: ZipEntry[] = [
    { name: 'AndroidManifest.xml', data: writeManifest({ ...manifest, iconPath }), isDeflated: true },
    { name: 'classes.dex', data: content.subarray(0, share) },
    { name: iconPath, data: icon },
    ...abis.map((abi, index) => ({
      name: `lib/${abi}/libcore.so`,
      data: content.subarray(share * (index + 1), share * (index + 2)),
    })),
  ]
  const unsigned = zipFile(entries)
  return zipFile(entries, { beforeDirectory: signingBlock(unsigned, signer) })
}

const ecdsaWithSha256 = 0x0201
const prefixed = (...content: Buffer[]): Buffer => {
  const body = join(...content)
  return join(u32(body.length), body)
}

const sha256 = (...content: Buffer[]): Buffer =>
  createHash('sha256')
    .update(join(...content))
    .digest()

const chunkBytes = 1024 * 1024
const endRecordBytes = 22

/** Returns the digest of the entries, the central directory and the end record, each in chunks of 1 MiB. */
function contentDigest(unsigned: Buffer): Buffer {
  const end = unsigned.length - endRecordBytes
  const directory = unsigned.readUInt32LE(end + 16)
  const sections = [
    unsigned.subarray(0, directory),
    unsigned.subarray(directory, end),
    unsigned.subarray(end),
  ]
  const digests = sections.flatMap((section) =>
    Array.from({ length: Math.ceil(section.length / chunkBytes) }, (_, index) => {
      const chunk = section.subarray(index * chunkBytes, (index + 1) * chunkBytes)
      return sha256(Buffer.from([0xa5]), u32(chunk.length), chunk)
    }),
  )
  return sha256(Buffer.from([0x5a]), u32(digests.length), ...digests)
}

/** Returns an APK signing block (https://source.android.com/docs/security/features/apksigning/v2). */
function signingBlock(unsigned: Buffer, { key, publicKey, certificate }: Signer): Buffer {
  const digest = contentDigest(unsigned)
  const signedData = join(
    prefixed(prefixed(u32(ecdsaWithSha256), prefixed(digest))),
    prefixed(prefixed(certificate)),
    prefixed(),
  )
  const signature = sign('sha256', signedData, key)
  const signer = join(
    prefixed(signedData),
    prefixed(prefixed(u32(ecdsaWithSha256), prefixed(signature))),
    prefixed(publicKey),
  )
  const value = prefixed(prefixed(signer))
  const pair = join(u64(value.length + 4), u32(0x7109871a), value)
  const size = u64(pair.length + 24)
  return join(size, pair, size, 'APK Sig Block 42')
}
