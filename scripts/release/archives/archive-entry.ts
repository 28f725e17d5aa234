/** A file in an archive. `mode` contains its permissions. */
export type ArchiveEntry = { path: string; content: Buffer; mode: number }
