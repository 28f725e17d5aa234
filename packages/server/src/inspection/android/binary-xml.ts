import { parseOr, slice } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'
import { readStringPool, stringPoolType, type StringPool } from './string-pool.ts'
import { readValue } from './typed-value.ts'
import { maxXmlDepth, maxXmlElements, type XmlElement } from './xml-element.ts'

const chunkType = { xml: 0x0003, startElement: 0x0102, endElement: 0x0103, resourceMap: 0x0180 } as const
const attributeBytes = 20

type Document = { strings: StringPool; resourceIds: Buffer }

/** Returns the root element of an Android binary XML document (ResXMLTree in ResourceTypes.h). */
export function readBinaryXml(bytes: Buffer): XmlElement {
  return parseOr('A binary XML document is damaged.', () => {
    if (bytes.readUInt16LE(0) !== chunkType.xml) throw new RangeError('The chunk has an unexpected type.')
    const document: Document = { strings: () => '', resourceIds: Buffer.alloc(0) }
    const root: XmlElement = { name: '', attributes: new Map(), children: [] }
    const open = [root]
    let elements = 0
    for (let at = bytes.readUInt16LE(2); at < bytes.length;) {
      const length = bytes.readUInt32LE(at + 4)
      if (length < 8) throw new RangeError('The chunk is too short.')
      const chunk = slice(bytes, at, length)
      const type = chunk.readUInt16LE(0)
      if (type === stringPoolType) document.strings = readStringPool(chunk)
      if (type === chunkType.resourceMap) document.resourceIds = chunk.subarray(8)
      if (type === chunkType.startElement) {
        if (open.length > maxXmlDepth || ++elements > maxXmlElements)
          throw new InspectionError('A binary XML document is too large.')
        const element = readElement(document, chunk)
        open.at(-1)?.children.push(element)
        open.push(element)
      }
      if (type === chunkType.endElement && open.length > 1) open.pop()
      at += length
    }
    const [first] = root.children
    if (first === undefined) throw new RangeError('The document is empty.')
    return first
  })
}

function readElement({ strings, resourceIds }: Document, chunk: Buffer): XmlElement {
  const body = chunk.subarray(chunk.readUInt16LE(2))
  const start = body.readUInt16LE(8)
  const size = body.readUInt16LE(10)
  const count = body.readUInt16LE(12)
  if (size < attributeBytes) throw new RangeError('The attribute is too short.')
  const element: XmlElement = { name: strings(body.readUInt32LE(4)), attributes: new Map(), children: [] }
  for (let index = 0; index < count; index++) {
    const attribute = slice(body, start + index * size, attributeBytes)
    const nameIndex = attribute.readUInt32LE(4)
    const hasResourceId = nameIndex * 4 + 4 <= resourceIds.length
    const key = hasResourceId ? resourceIds.readUInt32LE(nameIndex * 4) : strings(nameIndex)
    const value = readValue(attribute.subarray(12), strings)
    if (value !== undefined && !element.attributes.has(key)) element.attributes.set(key, value)
  }
  return element
}
