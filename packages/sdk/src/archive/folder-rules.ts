/** Lists patterns of what is left out of the archive of its folder, in the format of `.gitignore`. */
export const ignoreFile = '.quaysideignore'

/** Folder with the state of `quayside sync`. */
export const syncFolder = '.quayside'

/**
 * What file managers, version control and this command leave in folders. `!.git` in the ignore file includes it again.
 */
export const alwaysIgnored = [
  '.git',
  '.hg',
  '.svn',
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  `/${ignoreFile}`,
  `/${syncFolder}/`,
]

/** Returns entries in the order of their names as UTF-8. */
export function inArchiveOrder<Entry extends { name: string }>(entries: readonly Entry[]): Entry[] {
  const encoder = new TextEncoder()
  return entries
    .map((entry) => ({ entry, bytes: encoder.encode(entry.name) }))
    .toSorted((a, b) => compareBytes(a.bytes, b.bytes))
    .map(({ entry }) => entry)
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Returns why an archive cannot contain a name, or undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (name.includes('\uFFFD')) return 'is not valid UTF-8'
  return name.includes('\\') ? 'contains a backslash, which some programs read as a folder' : undefined
}

/** Returns the folder in which an archive contains its entries. An unpacked bundle of macOS works only with its ending. */
export const archivePrefix = (folderName: string): string =>
  folderName.endsWith('.app') ? `${folderName}/` : ''
