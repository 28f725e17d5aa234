import { cleanText, orNull, readBytes } from '../bytes.ts'
import { readCodeSignature } from '../executables/verify-mach-o.ts'
import { emptyInspection, unknownPackage, type ByteSource, type Inspection } from '../inspection.ts'
import { settleSignature, signerName, unsigned, type Signature } from '../signatures/signature.ts'
import { openHfsPlus } from './hfs-plus.ts'
import { findAppInfo, inspectApp } from './inspect-app.ts'
import { inspectPkg } from './inspect-pkg.ts'
import { damagedImage, openDiskImage, type DiskImage } from './udif.ts'

const maxPartitions = 32
const maxPackageBytes = 256 * 2 ** 20
const maxSignatureBytes = 16 * 2 ** 20

/**
 * Reads the application or the installer package on a disk image for macOS. Disk images with APFS, and those compressed with
 * LZFSE or bzip2, have only a format and a signer.
 */
export async function inspectDmg(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const image = await openDiskImage(source)
  const found = await orNull(inspectVolumes(image.disk, image.partitions))
  const info = found?.file_info ?? null
  const signature = await readSignature(content, image)
  return {
    ...(found ?? emptyInspection),
    file_info: {
      ...unknownPackage,
      ...info,
      format: 'dmg',
      signer: signerName(signature),
      signature_status: signature.status,
    },
  }
}

/** Returns the metadata of an encrypted disk image, which only states that it is one. */
export const inspectEncryptedDmg = async (): Promise<Inspection> => ({
  ...emptyInspection,
  file_info: { ...unknownPackage, format: 'encrypted-dmg' },
})

async function inspectVolumes(disk: ByteSource, partitions: readonly number[]): Promise<Inspection> {
  for (const offset of [...new Set([...partitions, 0])].slice(0, maxPartitions)) {
    const volume = await openHfsPlus(disk, offset)
    if (volume === undefined) continue
    const { files, volumeName } = volume
    const appInfo = findAppInfo(files)
    if (appInfo !== undefined) return inspectApp(files, appInfo, disk)
    const path = files.names.find((name) => /^[^/]+\.m?pkg$/i.test(name))
    if (path !== undefined) {
      const opened = await files.open(path, maxPackageBytes)
      return inspectPkg(opened, opened)
    }
    return {
      ...emptyInspection,
      file_info: { ...unknownPackage, format: 'dmg', name: cleanText(volumeName) },
    }
  }
  return emptyInspection
}

/** Reads the signer of a disk image. The content is not verified, so the status is at best `unknown`. */
async function readSignature(content: ByteSource, { signature }: DiskImage): Promise<Signature> {
  if (signature === undefined) return unsigned
  const read = async (): Promise<Signature> => {
    const length = Math.min(signature.sizeBytes, maxSignatureBytes)
    const { status, signers } = readCodeSignature(
      await readBytes(content, signature.offset, length, damagedImage),
    )
    return status === 'valid' ? { status: 'unknown', signers } : { status, signers: [] }
  }
  return settleSignature(read())
}
