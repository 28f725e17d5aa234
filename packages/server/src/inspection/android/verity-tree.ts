import { createHash } from 'node:crypto'

const blockBytes = 4096
/** APKs are digested with a salt of eight zero bytes. */
const salt = Buffer.alloc(8)

/** Builds the Merkle tree of fs-verity, in which each block of 4,096 bytes contains the SHA-256 digests of 128 blocks. */
export class VerityTree {
  static readonly blockBytes = blockBytes
  readonly #levels: Level[] = [{ bytes: Buffer.alloc(blockBytes), used: 0, blocks: 0 }]
  #sizeBytes = 0

  update(bytes: Buffer): void {
    this.#sizeBytes += bytes.length
    this.#append(0, bytes)
  }

  /** Returns the digest of the root, followed by the size of the content. */
  digest(): Buffer {
    const size = Buffer.alloc(8)
    size.writeBigUInt64LE(BigInt(this.#sizeBytes))
    return Buffer.concat([this.#finish(), size])
  }

  /** Adds bytes to a level. The digest of each full block is added to the next level. */
  #append(index: number, bytes: Buffer): void {
    const level = this.#levelAt(index)
    for (let at = 0; at < bytes.length;) {
      const copied = bytes.copy(level.bytes, level.used, at)
      level.used += copied
      at += copied
      if (level.used === blockBytes) this.#flush(index)
    }
  }

  #levelAt(index: number): Level {
    const level = this.#levels[index] ?? { bytes: Buffer.alloc(blockBytes), used: 0, blocks: 0 }
    this.#levels[index] = level
    return level
  }

  #flush(index: number): void {
    const level = this.#levelAt(index)
    level.bytes.fill(0, level.used)
    level.used = 0
    level.blocks++
    this.#append(index + 1, createHash('sha256').update(salt).update(level.bytes).digest())
  }

  /** Pads the last block of each level. The root is the only block of a level above the content. */
  #finish(): Buffer {
    for (let index = 0; ; index++) {
      const level = this.#levelAt(index)
      if (level.used > 0) this.#flush(index)
      const isRoot = index > 0 && level.blocks === 1
      if (isRoot) return this.#levelAt(index + 1).bytes.subarray(0, 32)
    }
  }
}

type Level = { bytes: Buffer; used: number; blocks: number }
