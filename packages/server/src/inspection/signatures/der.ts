import { slice } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'

/** An ASN.1 element in BER or DER (X.690). `bytes` includes the tag and the length. */
export type DerElement = { tag: number; content: Buffer; bytes: Buffer }

export const derTag = {
  integer: 0x02,
  octetString: 0x04,
  objectIdentifier: 0x06,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  /** The context-specific tag 0 of a constructed element. */
  context0: 0xa0,
} as const

const maxDepth = 32
/** Limits the memory for millions of empty elements. */
const maxChildren = 10_000

/** Reads the element at the start of the bytes. Throws a RangeError if it is truncated. */
export function readDer(bytes: Buffer, depth = 0): DerElement {
  const tag = bytes.readUInt8(0)
  if ((tag & 0x1f) === 0x1f) throw new InspectionError('A signature has an unsupported ASN.1 tag.')
  const first = bytes.readUInt8(1)
  if (first === 0x80) return readIndefinite(bytes, tag, depth)
  if (first < 0x80) return element(bytes, tag, 2, first)
  const lengthBytes = first & 0x7f
  return element(bytes, tag, 2 + lengthBytes, bytes.readUIntBE(2, lengthBytes))
}

function element(bytes: Buffer, tag: number, headerBytes: number, length: number): DerElement {
  return { tag, content: slice(bytes, headerBytes, length), bytes: slice(bytes, 0, headerBytes + length) }
}

/** Reads an element of indefinite length: two zero bytes follow its last child. */
function readIndefinite(bytes: Buffer, tag: number, depth: number): DerElement {
  if (depth >= maxDepth) throw new InspectionError('A signature is nested too deeply.')
  let at = 2
  while (bytes.readUInt16BE(at) !== 0) at += readDer(bytes.subarray(at), depth + 1).bytes.length
  return { tag, content: bytes.subarray(2, at), bytes: bytes.subarray(0, at + 2) }
}

/** Returns the elements inside a constructed element. */
export function childrenOf({ content }: DerElement): DerElement[] {
  const children: DerElement[] = []
  for (let at = 0; at < content.length;) {
    if (children.length === maxChildren) throw new RangeError('The element has too many children.')
    const child = readDer(content.subarray(at))
    children.push(child)
    at += child.bytes.length
  }
  return children
}

/** Returns the child at a position. Throws a RangeError if it does not exist or has a tag other than `tag`. */
export function childOf(parent: DerElement, position: number, tag?: number): DerElement {
  const child = childrenOf(parent)[position]
  if (child === undefined || (tag !== undefined && child.tag !== tag))
    throw new RangeError('The element does not exist.')
  return child
}

/** Returns the bytes of an octet string. In BER, it can consist of several octet strings. */
export function octetsOf(element: DerElement, depth = 0): Buffer {
  if (element.tag === derTag.octetString) return element.content
  if (element.tag !== (derTag.octetString | 0x20) || depth >= maxDepth)
    throw new RangeError('The element is not an octet string.')
  return Buffer.concat(childrenOf(element).map((child) => octetsOf(child, depth + 1)))
}

/** Returns an encoded object identifier in hexadecimal, or an empty string for another element. */
export function oidOf({ tag, content }: DerElement): string {
  return tag === derTag.objectIdentifier ? content.toString('hex') : ''
}
