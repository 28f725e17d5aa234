import { SaxesParser } from 'saxes'
import { InspectionError } from './inspection.ts'

/** An element of an XML document. Names are without their namespace prefix. */
export type XmlNode = { name: string; attributes: Map<string, string>; children: XmlNode[]; text: string }

const maxElements = 100_000
const maxDepth = 64

/**
 * Returns the root element of an XML document. Throws `InspectionError` with the reason if the document is damaged, is
 * nested too deeply, or declares entities, which can expand exponentially.
 */
export function readXmlDocument(bytes: Buffer, reason: string): XmlNode {
  const parser = new SaxesParser({ position: false })
  const open: XmlNode[] = []
  let root: XmlNode | undefined
  let elements = 0
  const addText = (text: string) => {
    const node = open.at(-1)
    if (node !== undefined) node.text += text
  }
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new InspectionError(reason)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > maxElements || open.length >= maxDepth) throw new InspectionError(reason)
    const entries = Object.entries(attributes).map(([key, value]) => [localName(key), value] as const)
    const node = { name: localName(name), attributes: new Map(entries), children: [], text: '' }
    open.at(-1)?.children.push(node)
    root ??= node
    open.push(node)
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => void open.pop())
  try {
    parser.write(decodeXml(bytes)).close()
  } catch (error) {
    if (error instanceof InspectionError) throw error
    throw new InspectionError(reason, { cause: error })
  }
  if (root === undefined) throw new InspectionError(reason)
  return root
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const childNamed = (node: XmlNode | undefined, name: string): XmlNode | undefined =>
  node?.children.find((child) => child.name === name)

/** Yields all elements below a node that have this name, in the order of the document. */
export function* descendantsNamed(node: XmlNode | undefined, name: string): Generator<XmlNode> {
  for (const child of node?.children ?? []) {
    if (child.name === name) yield child
    yield* descendantsNamed(child, name)
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
export function decodeXml(bytes: Buffer): string {
  const isUtf16 = bytes.length >= 2 && [0xfeff, 0xfffe].includes(bytes.readUInt16BE(0))
  const encoding = isUtf16 ? (bytes.readUInt8(0) === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}
