import { slice } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import { maxIconBytes } from '../images/image.ts'
import type { Icon } from '../inspection.ts'
import { standardPng } from './apple-png.ts'
import { readBomStore, type BomStore } from './bom-store.ts'

/** The attribute in the keys of renditions that identifies the asset to which they belong. */
const identifierAttribute = 17
const renditionHeaderBytes = 184
const rawDataTag = 'DWAR'
const maxImages = 32
const maxNameBytes = 256

/**
 * Returns the largest image of an asset in an asset catalog (Assets.car), or null. Only images that are stored as PNG or
 * JPEG files are read. Xcode stores most images in formats of Apple, such as LZFSE.
 */
export function readCatalogIcon(bytes: Buffer, assetName: string): Icon | null {
  const store = readBomStore(bytes)
  const identifier = findIdentifier(store, assetName)
  const position = keyAttributes(store).indexOf(identifierAttribute)
  if (identifier === undefined || position < 0) return null
  const images = store
    .entries('RENDITIONS')
    .filter(({ key }) => key.length >= position * 2 + 2 && key.readUInt16LE(position * 2) === identifier)
    .flatMap(({ value }) => rawImage(value) ?? [])
    .filter(({ length }) => length <= maxIconBytes)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxImages)
  for (const image of images) {
    const icon = readIcon(standardPng(image))
    if (icon !== null) return icon
  }
  return null
}

/** Returns the identifier of an asset by its name. */
function findIdentifier(store: BomStore, assetName: string): number | undefined {
  const asset = store.entries('FACETKEYS').find(({ key }) => nameOf(key) === assetName)
  if (asset === undefined) return undefined
  const attributes = asset.value
  for (let index = 0; index < attributes.readUInt16LE(4); index++) {
    const at = 6 + index * 4
    if (attributes.readUInt16LE(at) === identifierAttribute) return attributes.readUInt16LE(at + 2)
  }
  return undefined
}

/** Returns the name in a key, which may be followed by a zero byte. Blocks of a hostile file can be large and overlap. */
const nameOf = (key: Buffer): string => key.toString('utf8', 0, maxNameBytes).split('\0', 1)[0] ?? ''

/** Returns the attributes of which the keys of renditions consist, in this order. */
function keyAttributes(store: BomStore): number[] {
  const format = store.find('KEYFORMAT')
  if (format === undefined) return []
  const attributes = slice(format, 12, format.readUInt32LE(8) * 4)
  return Array.from({ length: attributes.length / 4 }, (_, index) => attributes.readUInt32LE(index * 4))
}

/** Returns the file in a rendition, or undefined if its pixels are stored in another way. */
function rawImage(rendition: Buffer): Buffer | undefined {
  if (rendition.toString('latin1', 0, 4) !== 'ISTC') return undefined
  const data = rendition.subarray(renditionHeaderBytes + rendition.readUInt32LE(168))
  if (data.toString('latin1', 0, 4) !== rawDataTag) return undefined
  return slice(data, 12, data.readUInt32LE(8))
}
