import { randomUUID } from 'node:crypto'
import { Type, type Static } from 'typebox'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { BrokenImage } from '../../formats/broken-image.ts'
import { imageTypes, readImage } from '../../formats/image.ts'
import { invalid } from '../../http/validation.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { insertStoredObject, updateStoredObjectDeleted } from '../../storage/stored-objects.db.ts'

const mostBytes = 512 * 1024
const [leastPixels, mostPixels] = [16, 2048]
const example = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC'

export const NewIcon = Type.Object({
  content_type: Type.Enum([...imageTypes], { description: 'What the bytes are; another type is refused.' }),
  data: Type.String({
    // base64 of the most bytes, and room for line breaks
    maxLength: 720_000,
    description: `The image as base64: at most 512 KiB, ${leastPixels} to ${mostPixels} pixels wide and high.`,
    examples: [example],
  }),
})

/** Good without a key and for ever the same; another image has another URL. */
export const iconUrl = (publicUrl: string, key: string | null): string | null =>
  key === null ? null : `${publicUrl}/api/v1/public/icons/${key}`

export type StoredIcon = { object: SealedObject; contentType: string }

/** Stores the image, not yet anybody's: the sweep takes it if no transaction makes it so. Throws `invalid`. */
export async function storeIcon(
  { storage }: Pick<Deps, 'storage'>,
  wish: Static<typeof NewIcon>,
): Promise<StoredIcon> {
  const bytes = checkedImage(wish)
  return { object: await storage.store(randomUUID(), bytes), contentType: wish.content_type }
}

/**
 * Puts a new icon, or none, in the place of the one before: `key` is for the column of its owner, `verb` for the audit
 * log. Answers undefined where there is nothing to change.
 */
export async function changeIcon(tx: Tx, before: string | null, icon: StoredIcon | null) {
  if (before !== null) await updateStoredObjectDeleted(tx, before)
  if (icon === null) return before === null ? undefined : { key: null, verb: 'deleted' }
  await insertStoredObject(tx, icon.object, icon.contentType)
  return { key: icon.object.key, verb: 'replaced' }
}

function checkedImage({ content_type, data }: Static<typeof NewIcon>): Buffer {
  const wrong = (text: string) => invalid({ data: [text] })
  const base64 = data.replaceAll(/[\r\n]/g, '')
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw wrong('must be base64.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > mostBytes) throw wrong(`must be at most 512 KiB, it is ${bytes.length} bytes.`)
  const image = read(bytes, wrong)
  if (image === undefined) throw wrong('is no PNG, JPEG or WebP image.')
  if (image.type !== content_type) throw wrong(`is ${image.type}, not ${content_type}.`)
  const { width, height } = image
  if (Math.min(width, height) < leastPixels || Math.max(width, height) > mostPixels)
    throw wrong(`is ${width} × ${height} pixels; ${leastPixels} to ${mostPixels} are allowed.`)
  return bytes
}

function read(bytes: Buffer, wrong: (text: string) => Error) {
  try {
    return readImage(bytes)
  } catch (error) {
    throw error instanceof BrokenImage ? wrong(`is no whole image: it ${error.message}.`) : error
  }
}
