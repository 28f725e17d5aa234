const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
} as const

/** Returns an ASN.1 element in DER (X.690). */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length]), bytes, content])
}

export const sequence = (...items: Buffer[]): Buffer => element(tags.sequence, Buffer.concat(items))

/** Returns a set with one element. The order of several would matter. */
export const setOf = (item: Buffer): Buffer => element(tags.set, item)

/** Returns an element with the context-specific tag 0. */
export const context0 = (content: Buffer): Buffer => element(tags.context0, content)

/** Returns a positive integer, whose bytes may begin with a one. */
export const integer = (bytes: Buffer): Buffer =>
  element(tags.integer, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)

export const derNull = element(tags.null, Buffer.alloc(0))

export const bitString = (bytes: Buffer): Buffer =>
  element(tags.bitString, Buffer.concat([Buffer.from([0]), bytes]))

export const octetString = (bytes: Buffer): Buffer => element(tags.octetString, bytes)

export const utf8String = (text: string): Buffer => element(tags.utf8String, Buffer.from(text))

/** Returns an object identifier such as `2.5.4.3`. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return element(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

/** Returns a time of a certificate in whole seconds. RFC 5280 requires two digits for the year until 2049. */
export function certificateTime(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/\.\d+|[-:T]/g, '')
  return date.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(text.slice(2)))
    : element(tags.generalizedTime, Buffer.from(text))
}

/** Returns the elements in an element whose DER was verified, such as by `X509Certificate`. */
export function readElements(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  const { start, end } = boundsOf(bytes)
  for (let at = start; at < end;) {
    const next = boundsOf(bytes.subarray(at)).end
    found.push(bytes.subarray(at, at + next))
    at += next
  }
  return found
}

function boundsOf(bytes: Buffer): { start: number; end: number } {
  const first = bytes.readUInt8(1)
  if (first < 0x80) return { start: 2, end: 2 + first }
  const start = 2 + (first & 0x7f)
  return { start, end: start + bytes.readUIntBE(2, first & 0x7f) }
}
