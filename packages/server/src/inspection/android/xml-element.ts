/** A value in a manifest or in the resource table of an Android application. */
export type ResourceValue =
  | { kind: 'text'; text: string }
  | { kind: 'integer'; value: number }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'reference'; id: number }

/** An element of an Android XML document in binary or protobuf format. */
export type XmlElement = {
  name: string
  /** Keyed by resource ID, or by name for attributes without an ID. */
  attributes: Map<number | string, ResourceValue>
  children: XmlElement[]
}

export const maxXmlDepth = 100
export const maxXmlElements = 200_000

/** Resource IDs of the attributes in the namespace `android` (android.R.attr). */
export const androidAttribute = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  debuggable: 0x0101000f,
  drawable: 0x01010199,
  source: 0x01010119,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  roundIcon: 0x0101052c,
  versionCodeMajor: 0x01010576,
} as const

export const childrenNamed = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  parent?.children.filter((child) => child.name === name) ?? []
