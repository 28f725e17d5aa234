import type { Entry, Feed, Missing, PublishedFile } from './adapter.ts'
import { readCompanion } from './published-files.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the JSON object with which the uploader describes a file for a format, such as `app.zip.scoop.json`. Returns an
 * empty object if there is none, or if it is not valid.
 */
export async function readDescription(
  entry: Entry,
  file: PublishedFile,
  ending: string,
  feed: Pick<Feed, 'read'>,
): Promise<JsonObject> {
  const text = await readCompanion(entry, file, ending, feed)
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Returns that the uploader must describe a file. The hint ends the sentence "Add app.zip.scoop.json with …". */
export const missingDescription = (
  { filename, build }: PublishedFile,
  ending: string,
  hint: string,
): Missing => ({
  message: `Add ${filename}${ending} with ${hint}`,
  build_id: build.id,
  filename: `${filename}${ending}`,
})

/** Returns the text with a name in a description. */
export const textIn = (description: JsonObject, name: string): string | undefined => {
  const value = Object.hasOwn(description, name) ? description[name] : undefined
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Returns the texts with a name in a description, which can be a text or a list of texts. */
export const textsIn = (description: JsonObject, name: string): string[] => {
  const value = Object.hasOwn(description, name) ? description[name] : undefined
  return [value].flat().filter((each): each is string => typeof each === 'string' && each !== '')
}

/** Returns the properties with some of the names. */
export const pick = (description: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(description, name)).map((name) => [name, description[name]]),
  )

/** Returns a name of lowercase letters and digits with hyphens, as package managers expect. */
export function tokenOf(name: string): string {
  const token = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
  return token === '' ? 'app' : token
}
