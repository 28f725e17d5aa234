import type { ZipArchive } from '../archives/zip.ts'
import { parseOr } from '../bytes.ts'
import type { ByteSource } from '../inspection.ts'
import { verifyJarSignature } from '../signatures/jar-signature.ts'
import { invalid, settleSignature, type Signature } from '../signatures/signature.ts'
import type { Certificate } from '../signatures/signed-data.ts'
import { readBlockSigners, type BlockSigner } from './block-signature.ts'
import { digestContent } from './content-digests.ts'
import { findDirectory, readSigningBlock, type SigningBlock } from './signing-block.ts'

/** The signature schemes, newest first (https://source.android.com/docs/security/features/apksigning). */
const schemes = [
  { number: 3, id: 0x1b93ad61, hasSdkRange: true },
  { number: 3, id: 0xf05368c0, hasSdkRange: true },
  { number: 2, id: 0x7109871a, hasSdkRange: false },
] as const

/** The first API levels of Android that support schemes v2 and v3. Older versions require scheme v1. */
const [scheme2Api, scheme3Api] = [24, 28]

type Scheme = { number: number; signers: BlockSigner[] }

/**
 * Verifies the signatures of an APK on all versions of Android from `minimumApi` on, like `apksigner verify`. The signers
 * are those of the newest scheme. A rotation of the key is not verified.
 */
export async function verifyApk(
  zip: ZipArchive,
  content: ByteSource,
  minimumApi: number,
): Promise<Signature> {
  let signers: Certificate[] = []
  const verify = async (): Promise<Signature> => {
    const block = await readSigningBlock(content)
    const found = block && parseOr('The APK signing block is damaged.', () => readSchemes(block, minimumApi))
    if (block === undefined || found?.length === 0) return verifyOnlyOldScheme(zip, content)
    if (found === undefined) return invalid
    signers = certificatesOf(found[0])
    const isIntact = await hasDigests(content, block, found)
    if (!isIntact) return invalid
    return minimumApi < scheme2Api ? verifyOldScheme(zip, content, found) : { status: 'valid', signers }
  }
  return settleSignature(verify(), () => signers)
}

/** Returns the schemes that are used from an API level on, or undefined if one of their signatures is invalid. */
function readSchemes({ blocks }: SigningBlock, minimumApi: number): Scheme[] | undefined {
  const found: Scheme[] = []
  for (const { number, id, hasSdkRange } of schemes) {
    const block = blocks.get(id)
    const isUsed = number === 3 || minimumApi < scheme3Api || found.length === 0
    if (block === undefined || !isUsed) continue
    const signers = readBlockSigners(block, hasSdkRange)
    if (signers === undefined) return undefined
    found.push({ number, signers })
  }
  const numbers = new Set(found.map(({ number }) => number))
  const isStripped = found.some(({ signers }) =>
    signers.some(({ newerScheme }) => newerScheme !== undefined && !numbers.has(newerScheme)),
  )
  return isStripped ? undefined : found
}

/** Returns whether the content of the APK has all digests that the signers have signed. */
async function hasDigests(content: ByteSource, block: SigningBlock, found: Scheme[]): Promise<boolean> {
  const signed = found.flatMap(({ signers }) => signers.flatMap(({ digests }) => [...digests]))
  const digests = await digestContent(content, block, new Set(signed.map(([name]) => name)))
  return signed.every(([name, digest]) => digests.get(name)?.equals(digest) === true)
}

async function verifyOnlyOldScheme(zip: ZipArchive, content: ByteSource): Promise<Signature> {
  const signature = await verifyJarSignature(zip, content, { isApk: true })
  const directory = await findDirectory(content)
  return signature.status === 'valid' && directory?.isAdjacent !== true ? invalid : signature
}

/** Verifies scheme v1, whose signers must be the same as those of scheme v2. */
async function verifyOldScheme(zip: ZipArchive, content: ByteSource, found: Scheme[]): Promise<Signature> {
  const blockSchemes = found.map(({ number }) => number)
  const old = await verifyJarSignature(zip, content, { isApk: true, blockSchemes })
  const second = found.find(({ number }) => number === 2)
  const hashes = (certificates: Certificate[]) =>
    certificates
      .map(({ sha256 }) => sha256)
      .toSorted()
      .join()
  const isSame = second === undefined || hashes(old.signers) === hashes(certificatesOf(second))
  const signers = certificatesOf(found[0])
  if (old.status === 'unknown') return { status: 'unknown', signers }
  return old.status === 'valid' && isSame ? { status: 'valid', signers } : invalid
}

const certificatesOf = (scheme: Scheme | undefined): Certificate[] =>
  scheme?.signers.map(({ certificate }) => certificate) ?? []
