import { slice } from '../bytes.ts'

const maxProperties = 1_000
const templateId = 7
const stringType = 30

/** Returns the template of an installer from its property set ([MS-OLEPS]), or null. */
export function readTemplate(bytes: Buffer): string | null {
  const section = bytes.subarray(bytes.readUInt32LE(44))
  const count = Math.min(section.readUInt32LE(4), maxProperties)
  for (let index = 0; index < count; index++) {
    if (section.readUInt32LE(8 + index * 8) !== templateId) continue
    const value = section.subarray(section.readUInt32LE(12 + index * 8))
    if (value.readUInt32LE(0) !== stringType) return null
    return slice(value, 8, value.readUInt32LE(4)).toString('latin1').replace(/\0.*$/s, '')
  }
  return null
}
