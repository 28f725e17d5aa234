import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Type, type Static } from 'typebox'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { BrokenImage } from '../../inspection/images/broken-image.ts'
import {
  hasIconSize,
  imageTypes,
  maxIconBase64Length,
  maxIconBytes,
  maxIconPixels,
  minIconPixels,
  readImage,
} from '../../inspection/images/image.ts'
import type { Icon } from '../../inspection/inspection.ts'
import { Problem } from '../../lib/problem.ts'
import type { SealedObject } from '../../storage/driver.ts'
import {
  findStoredIcon,
  insertStoredObject,
  markObjectsDeleted,
} from '../../storage/objects/stored-objects.db.ts'

const examplePng =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC'

export const NewIcon = Type.Object({
  content_type: Type.Enum([...imageTypes], { description: 'Must match the type of the image data.' }),
  data: Type.String({
    maxLength: maxIconBase64Length,
    description: `The base64-encoded image: at most 512 KiB, ${minIconPixels} to ${maxIconPixels} pixels wide and high.`,
    examples: [examplePng],
  }),
})

/** Returns the public URL of an icon. Each image has its own URL, so the content of a URL never changes. */
export const iconUrl = (publicUrl: string, key: string | null): string | null =>
  key === null ? null : `${publicUrl}/api/v1/public/icons/${key}`

/** Returns the bytes of an icon, which has at most `maxIconBytes`. */
export async function readIcon({ storage }: Pick<Deps, 'storage'>, icon: SealedObject): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of storage.read(icon)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export type StoredIcon = { object: SealedObject; contentType: string }

/**
 * Validates and stores an image; throws `invalid` if it is not acceptable. Unless `changeIcon` records the image, it is
 * later deleted as an orphaned object.
 */
export async function storeIcon(
  { storage }: Pick<Deps, 'storage'>,
  icon: Static<typeof NewIcon>,
): Promise<StoredIcon> {
  const bytes = decodeImage(icon)
  return { object: await storage.store(randomUUID(), bytes), contentType: icon.content_type }
}

/** Stores the icon of a package. Returns undefined if it does not meet the requirements for icons. */
export async function storePackageIcon(
  deps: Pick<Deps, 'storage'>,
  { media_type, base64 }: Icon,
): Promise<StoredIcon | undefined> {
  return storeIcon(deps, { content_type: media_type, data: base64 }).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'invalid') return undefined
    throw error
  })
}

/**
 * Replaces the previous icon, or deletes it if `icon` is null. Returns the `key` to store in the owner's row and the
 * `verb` for the audit log, or undefined if nothing changes.
 */
export async function changeIcon(tx: Tx, before: string | null, icon: StoredIcon | null) {
  if (before !== null && icon !== null && (await hasSameBytes(tx, before, icon))) return undefined
  if (before !== null) await markObjectsDeleted(tx, [before])
  if (icon === null) return before === null ? undefined : { key: null, verb: 'deleted' as const }
  await insertStoredObject(tx, icon.object, { iconType: icon.contentType })
  return { key: icon.object.key, verb: 'replaced' as const }
}

async function hasSameBytes(tx: Tx, key: string, { object }: StoredIcon): Promise<boolean> {
  const current = await findStoredIcon(tx, key)
  // Segment names contain checksums, so different bytes have different names.
  return isDeepStrictEqual(current?.object.segments, object.segments)
}

function decodeImage({ content_type, data }: Static<typeof NewIcon>): Buffer {
  const invalidData = (text: string) => invalid({ data: [text] })
  const base64 = data.replaceAll(/[\r\n]/g, '')
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw invalidData('must be base64-encoded.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > maxIconBytes) throw invalidData(`must be at most 512 KiB, but is ${bytes.length} bytes.`)
  const image = readImageInfo(bytes, invalidData)
  if (image === undefined) throw invalidData('must be a PNG, JPEG or WebP image.')
  if (image.type !== content_type)
    throw invalidData(`is ${image.type}, but \`content_type\` is "${content_type}".`)
  const { width, height } = image
  if (!hasIconSize(image))
    throw invalidData(
      `must be ${minIconPixels} to ${maxIconPixels} pixels wide and high, but is ${width} × ${height} pixels.`,
    )
  return bytes
}

function readImageInfo(bytes: Buffer, invalidData: (text: string) => Error) {
  try {
    return readImage(bytes)
  } catch (error) {
    throw error instanceof BrokenImage ? invalidData(`is not a valid image: it ${error.message}.`) : error
  }
}
