/** The files in an archive, in columns, because a million objects would need more memory than the process may use. */
export type EntryList = {
  names: string[]
  sizeBytes: number[]
  /** Sizes in the archive. Undefined if the entries are not compressed one by one. */
  storedBytes: number[] | undefined
  /** CRC-32 of each file. */
  checksums: number[]
}

export const emptyEntries: EntryList = { names: [], sizeBytes: [], storedBytes: undefined, checksums: [] }
