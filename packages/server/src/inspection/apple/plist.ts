import { InspectionError } from '../inspection.ts'
import { readBinaryPlist } from './binary-plist.ts'
import type { PlistDictionary } from './plist-value.ts'
import { readXmlPlist } from './xml-plist.ts'

/** In practice, even a large Info.plist takes only a few hundred kilobytes. */
export const maxPlistBytes = 4 * 2 ** 20

/** Returns the dictionary at the root of a property list in XML or binary format. */
export function readPlist(bytes: Buffer): PlistDictionary {
  if (bytes.length > maxPlistBytes) throw new InspectionError('A property list is too large.')
  const isBinary = bytes.toString('latin1', 0, 8) === 'bplist00'
  const value = isBinary ? readBinaryPlist(bytes) : readXmlPlist(bytes)
  if (!(value instanceof Map)) throw new InspectionError('A property list does not contain a dictionary.')
  return value
}
