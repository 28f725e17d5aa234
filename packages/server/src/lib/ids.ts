import { randomBytes, randomFillSync } from 'node:crypto'

// Digits and lowercase letters, except for the look-alike characters 0, 1, i, l, o and u.
export const shortIdAlphabet = '23456789abcdefghjkmnpqrstvwxyz'
const unbiasedLimit = 256 - (256 % shortIdAlphabet.length)

/**
 * Returns a random ID without look-alike characters. Workspaces and applications use length 12, other resources length
 * 10.
 */
export function shortId(length: 10 | 12): string {
  let id = ''
  while (id.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < unbiasedLimit && id.length < length) id += shortIdAlphabet[byte % shortIdAlphabet.length]
    }
  }
  return id
}

export const shortIdPattern = `^[${shortIdAlphabet}]{10,12}$`

/**
 * Creates a UUIDv7 generator (RFC 9562, section 6.2, method 1). A 12-bit counter orders the UUIDs within a millisecond.
 */
export function createUuidV7(now: () => number = Date.now): () => string {
  let lastMs = 0
  let counter = 0
  return () => {
    const ms = Math.max(now(), lastMs)
    counter = ms === lastMs ? counter + 1 : 0
    lastMs = ms
    if (counter > 0xfff) {
      lastMs += 1
      counter = 0
    }
    return formatUuidV7(lastMs, counter)
  }
}

// Each request has a UUID. Filling a few bytes costs as much as filling thousands.
const pool = Buffer.alloc(4096)
let used = pool.length

function formatUuidV7(ms: number, counter: number): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, (used += 16))
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export const uuidV7 = createUuidV7()

/** Returns the time at which a UUIDv7 was created. */
export const timeOfUuidV7 = (uuid: string): Date =>
  new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16))

/**
 * Regular expression source that matches a lowercase UUID. It has no anchors and is valid in JavaScript and PostgreSQL.
 */
export const uuidSource = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
export const uuidPattern = `^${uuidSource}$`
