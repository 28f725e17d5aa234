export type PlistValue = string | number | boolean | Date | Buffer | PlistValue[] | PlistDictionary
/** A map instead of an object, because a key can be `__proto__`. */
export type PlistDictionary = Map<string, PlistValue>

/** Apple's parsers accept 512 levels. Property lists of applications have about ten. */
export const maxPlistDepth = 64
/** Limits the memory for empty dictionaries, which take about 500 bytes each. */
export const maxPlistValues = 200_000

/** Returns the text for a key. Converts numbers, because some tools write versions as numbers. */
export function textOf(plist: PlistDictionary, key: string): string | null {
  const value = plist.get(key)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

export function dictionaryOf(plist: PlistDictionary | undefined, key: string): PlistDictionary | undefined {
  const value = plist?.get(key)
  return value instanceof Map ? value : undefined
}

/** Returns the strings in the array for a key. */
export function textsOf(plist: PlistDictionary | undefined, key: string): string[] {
  const value = plist?.get(key)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
