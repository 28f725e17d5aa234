import { createHmac } from 'node:crypto'
import { shortIdAlphabet, uuidPattern } from '../../lib/ids.ts'

/** Returns the new ID of a resource. The same ID always has the same new ID, so that no table of IDs is necessary. */
export type MapId = (id: string) => string

const uuid = new RegExp(uuidPattern)
// Larger bytes would make the first characters of the alphabet more frequent.
const unbiasedLimit = 256 - (256 % shortIdAlphabet.length)

/**
 * Derives new IDs from a random key and the previous IDs. UUIDs keep their time, by which rows of the same millisecond
 * are ordered.
 */
export function createIdMap(key: Buffer): MapId {
  const digest = (text: string) => createHmac('sha256', key).update(text).digest()
  return (id) => {
    if (uuid.test(id)) return mapUuid(id, digest(id))
    let mapped = ''
    for (let round = 0; mapped.length < id.length; round++)
      for (const byte of digest(`${round} ${id}`))
        if (byte < unbiasedLimit && mapped.length < id.length)
          mapped += shortIdAlphabet[byte % shortIdAlphabet.length]
    return mapped
  }
}

function mapUuid(id: string, digest: Buffer): string {
  const variant = (0x80 | ((digest[0] ?? 0) & 0x3f)).toString(16)
  const random = digest.toString('hex', 1, 8)
  return `${id.slice(0, 18)}-${variant}${random.slice(0, 2)}-${random.slice(2)}`
}
