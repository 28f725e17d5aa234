import { parseOr } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'
import { fieldsOf, messageOf, messagesOf, numberOf } from './protobuf.ts'
import { maxXmlDepth, maxXmlElements, type ResourceValue, type XmlElement } from './xml-element.ts'

/** Field numbers of messages in Resources.proto of aapt2. */
const xmlNode = { element: 1 }
const xmlElement = { name: 3, attribute: 4, child: 5 }
const xmlAttribute = { name: 2, value: 3, resourceId: 5, item: 6 }
const item = { reference: 1, string: 2, rawString: 3, styledString: 4, file: 5, primitive: 7 }
const primitive = { decimal: 6, hexadecimal: 7, boolean: 8 }

/** Returns the root element of an XML document in an app bundle, which is a protobuf message. */
export function readProtobufXml(bytes: Buffer): XmlElement {
  return parseOr('An XML document in the app bundle is damaged.', () => {
    let elements = 0
    const readElement = (message: Buffer, depth: number): XmlElement => {
      if (depth > maxXmlDepth || ++elements > maxXmlElements)
        throw new InspectionError('An XML document in the app bundle is too large.')
      const element: XmlElement = {
        name: messageOf(message, xmlElement.name)?.toString('utf8') ?? '',
        attributes: new Map(),
        children: [],
      }
      for (const attribute of messagesOf(message, xmlElement.attribute)) addAttribute(element, attribute)
      for (const node of messagesOf(message, xmlElement.child)) {
        const child = messageOf(node, xmlNode.element)
        if (child !== undefined) element.children.push(readElement(child, depth + 1))
      }
      return element
    }
    const root = messageOf(bytes, xmlNode.element)
    if (root === undefined) throw new RangeError('The document is empty.')
    return readElement(root, 1)
  })
}

function addAttribute(element: XmlElement, attribute: Buffer): void {
  const id = numberOf(attribute, xmlAttribute.resourceId)
  const key = id === 0 ? (messageOf(attribute, xmlAttribute.name)?.toString('utf8') ?? '') : id
  const compiled = messageOf(attribute, xmlAttribute.item)
  const text = messageOf(attribute, xmlAttribute.value)?.toString('utf8') ?? ''
  const value = compiled === undefined ? undefined : readItem(compiled)
  if (!element.attributes.has(key)) element.attributes.set(key, value ?? { kind: 'text', text })
}

/** Reads an Item message. Returns undefined for values that inspection does not need. */
export function readItem(message: Buffer): ResourceValue | undefined {
  for (const { number, bytes } of fieldsOf(message)) {
    if (bytes === undefined) continue
    if (number === item.reference) return { kind: 'reference', id: numberOf(bytes, 2) }
    const isText = [item.string, item.rawString, item.styledString, item.file].includes(number)
    if (isText) return { kind: 'text', text: messageOf(bytes, 1)?.toString('utf8') ?? '' }
    if (number === item.primitive) return readPrimitive(bytes)
  }
  return undefined
}

function readPrimitive(message: Buffer): ResourceValue | undefined {
  for (const { number, value } of fieldsOf(message)) {
    if (number === primitive.boolean) return { kind: 'boolean', value: value !== 0 }
    if (number === primitive.decimal || number === primitive.hexadecimal)
      return { kind: 'integer', value: Number(BigInt.asIntN(32, BigInt(value))) }
  }
  return undefined
}
