// OpenSSL 3 has no MD4 any more, but zsync identifies blocks by it. It protects nothing: zsync compares the complete file
// with a SHA-1, and updaters verify signatures.

const initial = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const
const roundTwo = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] as const
const roundThree = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15] as const

const state = new Int32Array(4)
const padding = new Int32Array(16)
const digestBytes = Buffer.from(state.buffer)

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/**
 * Returns the MD4 digest (RFC 1320) of bytes whose number is a multiple of 64, given as little-endian words. The result is
 * valid until the next call.
 */
export function md4OfWords(words: Int32Array): Buffer {
  state.set(initial)
  for (let at = 0; at < words.length; at += 16) compress(words, at)
  padding.fill(0)
  padding[0] = 0x80
  const bits = words.length * 32
  padding[14] = bits | 0
  padding[15] = Math.floor(bits / 2 ** 32)
  compress(padding, 0)
  return digestBytes
}

function compress(words: Int32Array, at: number): void {
  const word = (index: number): number => words[at + index] ?? 0
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let step = 0; step < 16; step += 4) {
    a = rotate((a + ((b & c) | (~b & d)) + word(step)) | 0, 3)
    d = rotate((d + ((a & b) | (~a & c)) + word(step + 1)) | 0, 7)
    c = rotate((c + ((d & a) | (~d & b)) + word(step + 2)) | 0, 11)
    b = rotate((b + ((c & d) | (~c & a)) + word(step + 3)) | 0, 19)
  }
  const majority = (x: number, y: number, z: number): number => (x & y) | (x & z) | (y & z)
  const next = (order: readonly number[], step: number): number => word(order[step] ?? 0)
  for (let step = 0; step < 16; step += 4) {
    a = rotate((a + majority(b, c, d) + next(roundTwo, step) + 0x5a827999) | 0, 3)
    d = rotate((d + majority(a, b, c) + next(roundTwo, step + 1) + 0x5a827999) | 0, 5)
    c = rotate((c + majority(d, a, b) + next(roundTwo, step + 2) + 0x5a827999) | 0, 9)
    b = rotate((b + majority(c, d, a) + next(roundTwo, step + 3) + 0x5a827999) | 0, 13)
  }
  for (let step = 0; step < 16; step += 4) {
    a = rotate((a + (b ^ c ^ d) + next(roundThree, step) + 0x6ed9eba1) | 0, 3)
    d = rotate((d + (a ^ b ^ c) + next(roundThree, step + 1) + 0x6ed9eba1) | 0, 9)
    c = rotate((c + (d ^ a ^ b) + next(roundThree, step + 2) + 0x6ed9eba1) | 0, 11)
    b = rotate((b + (c ^ d ^ a) + next(roundThree, step + 3) + 0x6ed9eba1) | 0, 15)
  }
  state[0] = ((state[0] ?? 0) + a) | 0
  state[1] = ((state[1] ?? 0) + b) | 0
  state[2] = ((state[2] ?? 0) + c) | 0
  state[3] = ((state[3] ?? 0) + d) | 0
}
