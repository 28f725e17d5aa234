/** Thrown if bytes are not a deflate stream that can be restored from its content. */
export class UnopenableStream extends Error {}

export const lengthBase = Uint16Array.from([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
])
export const lengthExtraBits = Uint8Array.from([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
])
export const distanceBase = Uint16Array.from([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12_289, 16_385, 24_577,
])
export const distanceExtraBits = Uint8Array.from([
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
])
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

const maxCodeBits = 15
export const endOfBlock = 256
/** Stands for the content of a stored block in a list of tokens. */
export const storedBlock = 257

/** The lengths of the Huffman codes of a block. */
export type CodeLengths = { literals: Uint8Array; distances: Uint8Array }

export const fixedCodes: CodeLengths = {
  literals: Uint8Array.from({ length: 288 }, (_, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  ),
  distances: new Uint8Array(30).fill(5),
}

/** Reads the Huffman codes of a dynamic block with a function that returns the next bits. */
export function readCodeLengths(bits: (count: number) => number): CodeLengths {
  const literalCount = bits(5) + 257
  const distanceCount = bits(5) + 1
  const count = bits(4) + 4
  if (literalCount > 286 || distanceCount > 30) throw new UnopenableStream('A block has too many codes.')
  const lengthsOfLengths = new Uint8Array(19)
  for (const symbol of codeLengthOrder.slice(0, count)) lengthsOfLengths[symbol] = bits(3)
  const decoder = new CodeDecoder(lengthsOfLengths)
  const lengths = new Uint8Array(literalCount + distanceCount)
  for (let index = 0; index < lengths.length;) {
    const symbol = decoder.readSlowly(() => bits(1))
    if (symbol < 16) {
      lengths[index++] = symbol
      continue
    }
    if (symbol === 16 && index === 0) throw new UnopenableStream('A block repeats no code length.')
    const value = symbol === 16 ? (lengths[index - 1] ?? 0) : 0
    const repeated = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7)
    if (index + repeated > lengths.length) throw new UnopenableStream('A block has too many code lengths.')
    lengths.fill(value, index, index + repeated)
    index += repeated
  }
  if (lengths[endOfBlock] === 0) throw new UnopenableStream('A block has no end.')
  return { literals: lengths.subarray(0, literalCount), distances: lengths.subarray(literalCount) }
}

/** Returns the canonical codes for code lengths, with their bits reversed as they are written. */
export function reversedCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length)
  const next = firstCodes(lengths)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const code = next[length] ?? 0
    next[length] = code + 1
    let reversed = 0
    for (let bit = 0; bit < length; bit++) reversed |= ((code >>> bit) & 1) << (length - 1 - bit)
    codes[symbol] = reversed
  }
  return codes
}

/** Returns the first code of each length. Throws if there are more codes than fit. */
function firstCodes(lengths: Uint8Array): Uint32Array {
  const counts = countLengths(lengths)
  const first = new Uint32Array(maxCodeBits + 2)
  let code = 0
  for (let length = 1; length <= maxCodeBits; length++) {
    code = (code + (length > 1 ? (counts[length - 1] ?? 0) : 0)) << 1
    if (code + (counts[length] ?? 0) > 2 ** length)
      throw new UnopenableStream('A block has conflicting codes.')
    first[length] = code
  }
  return first
}

function countLengths(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(maxCodeBits + 1)
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1
  return counts
}

export const tableBits = 10

/** Finds the symbol of a code: in a table if the code is short, and otherwise bit by bit. */
export class CodeDecoder {
  /** By the next bits: the symbol, and its length in the lowest four bits. Zero for longer codes. */
  readonly table = new Uint16Array(2 ** tableBits)
  readonly #counts: Uint16Array
  readonly #symbols: Uint16Array

  constructor(lengths: Uint8Array) {
    const codes = reversedCodes(lengths)
    this.#counts = countLengths(lengths)
    const places = new Uint16Array(maxCodeBits + 2)
    for (let length = 1; length <= maxCodeBits; length++)
      places[length + 1] = (places[length] ?? 0) + (this.#counts[length] ?? 0)
    this.#symbols = new Uint16Array(lengths.length)
    for (const [symbol, length] of lengths.entries()) {
      if (length === 0) continue
      const place = places[length] ?? 0
      places[length] = place + 1
      this.#symbols[place] = symbol
      if (length > tableBits) continue
      for (let index = codes[symbol] ?? 0; index < this.table.length; index += 2 ** length)
        this.table[index] = (symbol << 4) | length
    }
  }

  /** Reads a symbol of any length with a function that returns the next bit. */
  readSlowly(nextBit: () => number): number {
    let code = 0
    let first = 0
    let place = 0
    for (let length = 1; length <= maxCodeBits; length++) {
      code |= nextBit()
      const count = this.#counts[length] ?? 0
      if (code - first < count) return this.#symbols[place + code - first] ?? 0
      place += count
      first = (first + count) << 1
      code <<= 1
    }
    throw new UnopenableStream('The stream has an unknown code.')
  }
}
