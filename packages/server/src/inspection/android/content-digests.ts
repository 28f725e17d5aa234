import { createHash } from 'node:crypto'
import { readBytes } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import type { SigningBlock } from './signing-block.ts'
import { VerityTree } from './verity-tree.ts'

/** How an APK is digested: in chunks with a hash function, or as a tree of fs-verity. */
export type ContentDigest = 'sha256' | 'sha512' | 'verity'

const chunkBytes = 2 ** 20
const damaged = 'The APK is truncated.'

/**
 * Returns digests of an APK (https://source.android.com/docs/security/features/apksigning/v2). They cover the entries,
 * the directory and the end record, which are all sections except for the signing block.
 */
export async function digestContent(
  content: ByteSource,
  block: SigningBlock,
  wanted: ReadonlySet<ContentDigest>,
): Promise<ReadonlyMap<ContentDigest, Buffer>> {
  const hashes = (['sha256', 'sha512'] as const).filter((name) => wanted.has(name))
  const chunked = hashes.map((name) => ({ name, digests: [] as Buffer[] }))
  const tree = wanted.has('verity') ? new VerityTree() : undefined
  const isAligned = block.offset % VerityTree.blockBytes === 0
  if (tree !== undefined && !isAligned) throw new InspectionError('The signing block is not aligned.')
  let count = 0
  for await (const chunk of chunksOf(content, block)) {
    const prefix = Buffer.from([0xa5, 0, 0, 0, 0])
    prefix.writeUInt32LE(chunk.length, 1)
    for (const { name, digests } of chunked)
      digests.push(createHash(name).update(prefix).update(chunk).digest())
    tree?.update(chunk)
    count++
  }
  const prefix = Buffer.from([0x5a, 0, 0, 0, 0])
  prefix.writeUInt32LE(count, 1)
  const found = new Map<ContentDigest, Buffer>(
    chunked.map(({ name, digests }) => [
      name,
      createHash(name).update(prefix).update(Buffer.concat(digests)).digest(),
    ]),
  )
  if (tree !== undefined) found.set('verity', tree.digest())
  return found
}

async function* chunksOf(content: ByteSource, block: SigningBlock): AsyncGenerator<Buffer, void, undefined> {
  yield* section(content, 0, block.offset)
  yield* section(content, block.directoryOffset, block.endOffset)
  const end = Buffer.from(
    await readBytes(content, block.endOffset, content.sizeBytes - block.endOffset, damaged),
  )
  // The signature covers the offset that the directory had before the signing block was inserted.
  end.writeUInt32LE(block.offset, 16)
  yield end
}

async function* section(content: ByteSource, start: number, end: number) {
  for (let at = start; at < end; at += chunkBytes)
    yield await readBytes(content, at, Math.min(chunkBytes, end - at), damaged)
}
