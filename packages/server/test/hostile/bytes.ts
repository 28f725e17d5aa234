/** A file that a client uploads to harm or confuse the service. */
export type HostileArchive = { name: string; filetype: string; bytes: Buffer }

type Field = number | bigint | string | Buffer

const writer =
  (bytesPerNumber: number, isLittleEndian: boolean) =>
  (...numbers: number[]): Buffer => {
    const bytes = Buffer.alloc(numbers.length * bytesPerNumber)
    for (const [index, number] of numbers.entries()) {
      const value = BigInt.asUintN(bytesPerNumber * 8, BigInt(number))
      for (let at = 0; at < bytesPerNumber; at++) {
        const position = index * bytesPerNumber + (isLittleEndian ? at : bytesPerNumber - 1 - at)
        bytes[position] = Number((value >> BigInt(at * 8)) & 0xffn)
      }
    }
    return bytes
  }

export const u16 = writer(2, true)
export const u32 = writer(4, true)
export const u64 = writer(8, true)
export const u16be = writer(2, false)
export const u32be = writer(4, false)
export const u64be = writer(8, false)

/** Joins bytes. Numbers are single bytes, and strings are Latin-1. */
export function join(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.map((field) => {
      if (typeof field === 'string') return Buffer.from(field, 'latin1')
      return Buffer.isBuffer(field) ? field : Buffer.from([Number(field)])
    }),
  )
}

/** Returns a copy of the bytes with `replacement` at the offset. */
export function patch(bytes: Buffer, offset: number, replacement: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  replacement.copy(copy, offset)
  return copy
}
