/** A file in an archive. `mode` contains its permissions: by default, everybody can read it and the owner can change it. */
export type ArchiveFile = { path: string; content: Buffer; mode?: number }

export const defaultMode = 0o644
