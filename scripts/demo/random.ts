import { createCipheriv, createHash } from 'node:crypto'

export type Random = ReturnType<typeof createRandom>

/** Creates a generator that returns the same sequence for the same seed. */
export function createRandom(seed: string) {
  // Mulberry32
  let state = createHash('md5').update(seed).digest().readUInt32LE(0)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number): number => min + next() * (max - min)
  return {
    between,
    /** Returns an integer from `min` to `max`, both inclusive. */
    integer: (min: number, max: number): number => Math.floor(between(min, max + 1)),
    chance: (probability: number): boolean => next() < probability,
    pick<T>(list: readonly T[]): T {
      const item = list[Math.floor(next() * list.length)]
      if (item === undefined) throw new Error('The list is empty.')
      return item
    },
  }
}

/** Returns bytes that do not compress and are the same for the same seed. */
export function randomContent(seed: string, sizeBytes: number): Buffer {
  const key = createHash('md5').update(seed).digest()
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeBytes))
}

export const sha1Of = (text: string): string => createHash('sha1').update(text).digest('hex')

/** Returns the same UUID for the same text. */
export const uuidOf = (text: string): string =>
  sha1Of(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
