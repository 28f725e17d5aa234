import { randomBytes } from 'node:crypto'

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
  let lastMs = -1
  let counter = 0
  let prefix = ''
  return () => {
    const ms = Math.max(now(), lastMs)
    counter = ms === lastMs ? counter + 1 : 0
    if (counter > 0xfff) {
      lastMs = ms + 1
      counter = 0
    } else lastMs = ms
    if (counter === 0) prefix = prefixOf(lastMs)
    return `${prefix}${(0x7000 | counter).toString(16)}-${randomPart()}`
  }
}

function prefixOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`
}

// Each request has a UUID. Filling and formatting a few bytes costs as much as thousands.
const poolBytes = 4096
let pool = ''
let used = 0

/** Returns 62 random bits after the two bits of the variant. */
function randomPart(): string {
  if (used === pool.length) {
    pool = randomBytes(poolBytes).toString('hex')
    used = 0
  }
  const start = used
  used += 16
  const variant = '89ab'[Number.parseInt(pool.charAt(start), 16) & 3]
  return `${variant}${pool.slice(start + 1, start + 4)}-${pool.slice(start + 4, used)}`
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
