/** What is read of a manifest: the attributes of its root element and the features that the application uses. */
export type AndroidManifest = {
  packageName: string
  versionName: string
  versionCode: number
  features: string[]
}

type Attributes = Map<string, string>

const chunk = { stringPool: 0x0001, startElement: 0x0102 }
const valueType = { text: 0x03, decimal: 0x10, hexadecimal: 0x11 }

/** Reads the manifest of an APK in Android's binary format (ResXMLTree). Throws a RangeError if it is damaged. */
export function readBinaryManifest(bytes: Uint8Array): AndroidManifest {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const collected = createManifest()
  let strings = (_index: number): string => ''
  for (let at = view.getUint16(2, true); at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true)
    if (length < 8) throw new RangeError('The chunk is too short.')
    const type = view.getUint16(at, true)
    if (type === chunk.stringPool) strings = readStrings(bytes, at)
    if (type === chunk.startElement) {
      const body = at + view.getUint16(at + 2, true)
      const attributes: Attributes = new Map()
      const start = body + view.getUint16(body + 8, true)
      const size = Math.max(view.getUint16(body + 10, true), 20)
      const count = view.getUint16(body + 12, true)
      for (let offset = start; offset < start + count * size; offset += size) {
        const type = view.getUint8(offset + 15)
        const data = view.getUint32(offset + 16, true)
        const name = strings(view.getUint32(offset + 4, true))
        // References to resources are left out. The server resolves them after the upload.
        if (type === valueType.text) attributes.set(name, strings(data))
        else if (type === valueType.decimal || type === valueType.hexadecimal)
          attributes.set(name, String(data))
      }
      collected.add(strings(view.getUint32(body + 4, true)), attributes)
    }
    at += length
  }
  return collected.manifest
}

/** Returns a function that reads a string of a ResStringPool chunk. */
function readStrings(bytes: Uint8Array, at: number): (index: number) => string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isUtf8 = (view.getUint32(at + 16, true) & 0x100) !== 0
  const offsets = at + view.getUint16(at + 2, true)
  const start = at + view.getUint32(at + 20, true)
  const count = view.getUint32(at + 8, true)
  const decoder = new TextDecoder(isUtf8 ? 'utf-8' : 'utf-16le')
  return (index) => {
    if (index >= count) return ''
    let from = start + view.getUint32(offsets + index * 4, true)
    let length: number
    if (isUtf8) {
      from += view.getUint8(from) & 0x80 ? 2 : 1
      length = view.getUint8(from++)
      if (length & 0x80) length = ((length & 0x7f) << 8) | view.getUint8(from++)
    } else {
      length = view.getUint16(from, true) * 2
      from += 2
    }
    return decoder.decode(bytes.subarray(from, from + length))
  }
}

/** Reads the manifest of an app bundle, which is a protobuf message (Resources.proto of aapt2). */
export function readProtobufManifest(bytes: Uint8Array): AndroidManifest {
  const collected = createManifest()
  const read = (node: Uint8Array, depth: number) => {
    const [element] = messagesIn(node, 1)
    if (element === undefined || depth > 3) return
    const attributes: Attributes = new Map()
    for (const attribute of messagesIn(element, 4)) {
      const text = attributeText(attribute)
      if (text !== undefined) attributes.set(textOf(attribute, 2), text)
    }
    collected.add(textOf(element, 3), attributes)
    for (const child of messagesIn(element, 5)) read(child, depth + 1)
  }
  read(bytes, 0)
  return collected.manifest
}

/** Returns the text or number of an attribute; undefined for a reference to a resource. */
function attributeText(attribute: Uint8Array): string | undefined {
  const [item] = messagesIn(attribute, 6)
  if (item === undefined) return textOf(attribute, 3)
  const [text] = messagesIn(item, 2)
  if (text !== undefined) return textOf(text, 1)
  const [primitive] = messagesIn(item, 7)
  const number = primitive && fieldsOf(primitive).find((field) => field.number === 6 || field.number === 7)
  return number === undefined ? undefined : String(number.value)
}

const textOf = (message: Uint8Array, field: number): string =>
  new TextDecoder().decode(messagesIn(message, field).at(-1) ?? new Uint8Array())

/** Returns the strings or messages in a field of a protobuf message. */
const messagesIn = (message: Uint8Array, number: number): Uint8Array[] =>
  fieldsOf(message).flatMap((field) => (field.number === number ? (field.bytes ?? []) : []))

type Field = { number: number; value: number; bytes: Uint8Array | undefined }

function fieldsOf(message: Uint8Array): Field[] {
  const found: Field[] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let scale = 1; scale < 2 ** 63; scale *= 128) {
      const byte = message[at++]
      if (byte === undefined) throw new RangeError('The message is truncated.')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
    throw new RangeError('The number is too long.')
  }
  while (at < message.length) {
    const key = varint()
    const number = Math.floor(key / 8)
    const type = key % 8
    if (type === 0) found.push({ number, value: varint(), bytes: undefined })
    else {
      const length = type === 2 ? varint() : type === 5 ? 4 : 8
      found.push({ number, value: 0, bytes: message.subarray(at, at + length) })
      at += length
    }
  }
  return found
}

const maxFeatures = 1_000

function createManifest() {
  const manifest: AndroidManifest = { packageName: '', versionName: '', versionCode: 0, features: [] }
  return {
    manifest,
    add(name: string, attributes: Attributes): void {
      if (name === 'manifest') {
        manifest.packageName = attributes.get('package') ?? ''
        manifest.versionName = attributes.get('versionName') ?? ''
        const number = (key: string) => Number(attributes.get(key) ?? 0)
        manifest.versionCode = number('versionCodeMajor') * 2 ** 32 + number('versionCode')
      }
      const feature = attributes.get('name')
      if (name === 'uses-feature' && feature !== undefined && manifest.features.length < maxFeatures)
        manifest.features.push(feature)
    },
  }
}
