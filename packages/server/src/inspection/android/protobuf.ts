import { slice } from '../bytes.ts'

/** A field of a protobuf message: a number, or the bytes of a string or message. */
type Field = { number: number; value: number; bytes: Buffer | undefined }

/**
 * Yields the fields of a protobuf message (https://protobuf.dev/programming-guides/encoding). Throws a RangeError if it
 * is damaged.
 */
export function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0
  const readVarint = (): number => {
    let value = 0
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      const byte = message.readUInt8(at++)
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
    throw new RangeError('The number is too long.')
  }
  while (at < message.length) {
    const key = readVarint()
    const number = Math.floor(key / 8)
    const wireType = key % 8
    if (wireType === 0) {
      yield { number, value: readVarint(), bytes: undefined }
    } else {
      const length = wireType === 2 ? readVarint() : wireType === 5 ? 4 : wireType === 1 ? 8 : -1
      const bytes = slice(message, at, length)
      at += length
      yield { number, value: 0, bytes }
    }
  }
}

/** Yields the messages or strings in a repeated field. */
export function* messagesOf(message: Buffer | undefined, number: number): Generator<Buffer> {
  if (message === undefined) return
  for (const field of fieldsOf(message))
    if (field.number === number && field.bytes !== undefined) yield field.bytes
}

/** Returns the message or string in a field. If the field occurs repeatedly, returns the last one. */
export function messageOf(message: Buffer | undefined, number: number): Buffer | undefined {
  let found: Buffer | undefined
  for (const bytes of messagesOf(message, number)) found = bytes
  return found
}

/** Returns the number in a field, or 0 if the field is missing, which is the default in protobuf. */
export function numberOf(message: Buffer | undefined, number: number): number {
  let found = 0
  if (message === undefined) return found
  for (const field of fieldsOf(message))
    if (field.number === number && field.bytes === undefined) found = field.value
  return found
}
