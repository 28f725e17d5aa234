export type Manifest = {
  packageName: string
  label: string
  versionName: string
  versionCode: number
  minimumApi: number
  targetApi: number
  isDebuggable: boolean
  permissions: readonly string[]
  iconPath: string
}

type Value = string | number | boolean
type Element = { name: string; attributes: Record<string, Value>; children?: Element[] }

/** The resource IDs of the attributes in the namespace `android` (android.R.attr). */
const resourceIds: Readonly<Record<string, number>> = {
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  minSdkVersion: 0x0101020c,
  targetSdkVersion: 0x01010270,
  name: 0x01010003,
  label: 0x01010001,
  icon: 0x01010002,
  debuggable: 0x0101000f,
}
const attributeNames = Object.keys(resourceIds)
const none = 0xffffffff

const u16 = (...values: number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)
const join = (...parts: Buffer[]): Buffer => Buffer.concat(parts)

/** Encodes an AndroidManifest.xml in binary format (ResourceTypes.h). */
export function writeManifest(manifest: Manifest): Buffer {
  const root: Element = {
    name: 'manifest',
    attributes: {
      package: manifest.packageName,
      versionCode: manifest.versionCode,
      versionName: manifest.versionName,
    },
    children: [
      {
        name: 'uses-sdk',
        attributes: { minSdkVersion: manifest.minimumApi, targetSdkVersion: manifest.targetApi },
      },
      ...manifest.permissions.map((name) => ({
        name: 'uses-permission',
        attributes: { name },
      })),
      {
        name: 'application',
        attributes: { label: manifest.label, icon: manifest.iconPath, debuggable: manifest.isDebuggable },
      },
    ],
  }
  // The names of attributes with resource IDs come first in the pool, in the order of the resource map.
  const strings = [...attributeNames]
  const indexOf = (text: string): number => {
    const found = strings.indexOf(text)
    return found >= 0 ? found : strings.push(text) - 1
  }
  const elements = writeElement(root, indexOf)
  const resourceMap = chunk(
    0x0180,
    Buffer.alloc(0),
    u32(...attributeNames.map((name) => resourceIds[name] ?? 0)),
  )
  return chunk(0x0003, Buffer.alloc(0), join(writePool(strings), resourceMap, elements))
}

function writeElement(
  { name, attributes, children = [] }: Element,
  indexOf: (text: string) => number,
): Buffer {
  const written = Object.entries(attributes).map(([key, value]) => {
    const [type, data] = typedValue(value, indexOf)
    return join(u32(none, indexOf(key), none), u16(8), Buffer.from([0, type]), u32(data))
  })
  const head = join(u32(none, indexOf(name)), u16(20, 20, written.length, 0, 0, 0), ...written)
  const end = chunk(0x0103, u32(1, none), u32(none, indexOf(name)))
  const inner = children.map((child) => writeElement(child, indexOf))
  return join(chunk(0x0102, u32(1, none), head), ...inner, end)
}

function typedValue(value: Value, indexOf: (text: string) => number): [type: number, data: number] {
  if (typeof value === 'string') return [0x03, indexOf(value)]
  return typeof value === 'number' ? [0x10, value] : [0x12, value ? none : 0]
}

/** Encodes a string pool in UTF-16. */
function writePool(strings: readonly string[]): Buffer {
  const texts = strings.map((text) => join(u16(text.length), Buffer.from(text, 'utf16le'), u16(0)))
  let at = 0
  const offsets = texts.map((text) => (at += text.length) - text.length)
  const padding = Buffer.alloc((4 - (at % 4)) % 4)
  const header = u32(strings.length, 0, 0, 28 + offsets.length * 4, 0)
  return chunk(0x0001, header, join(u32(...offsets), ...texts, padding))
}

const chunk = (type: number, header: Buffer, body: Buffer): Buffer =>
  join(u16(type, 8 + header.length), u32(8 + header.length + body.length), header, body)
