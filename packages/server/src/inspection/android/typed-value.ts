import type { StringPool } from './string-pool.ts'
import type { ResourceValue } from './xml-element.ts'

const valueType = {
  reference: 0x01,
  string: 0x03,
  dynamicReference: 0x07,
  decimal: 0x10,
  hexadecimal: 0x11,
  boolean: 0x12,
}

/** Reads a Res_value structure (ResourceTypes.h). Returns undefined for types that inspection does not need. */
export function readValue(bytes: Buffer, strings: StringPool): ResourceValue | undefined {
  return valueOf(bytes.readUInt8(3), bytes.readUInt32LE(4), strings)
}

export function valueOf(type: number, data: number, strings: StringPool): ResourceValue | undefined {
  switch (type) {
    case valueType.string:
      return { kind: 'text', text: strings(data) }
    case valueType.reference:
    case valueType.dynamicReference:
      return { kind: 'reference', id: data }
    case valueType.decimal:
    case valueType.hexadecimal:
      return { kind: 'integer', value: data | 0 }
    case valueType.boolean:
      return { kind: 'boolean', value: data !== 0 }
    default:
      return undefined
  }
}
