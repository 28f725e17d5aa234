import { gzipSync } from 'node:zlib'
import { tarArchive } from '../../../packages/server/src/lib/tar.ts'
import type { ArchiveEntry } from './archive-entry.ts'

/** Returns a gzipped tar archive. Its bytes depend only on the arguments and the version of zlib. */
export const tarGz = (entries: readonly ArchiveEntry[], modifiedAt: Date): Buffer =>
  gzipSync(tarArchive(entries, modifiedAt), { level: 9 })
