import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../lib/problem.ts'

// sun_path of unix(7) and of macOS' unix(4), less the byte that ends it
const longestBytes = { linux: 107, other: 103 }

export type SocketFolder = { path: string; close: () => Promise<void> }

/**
 * A path of the folder by which a socket in it can be connected to. Where the folder's own is too long it
 * goes by a handle that this process keeps open, and holds as long as that.
 */
export async function openSocketFolder(folder: string, platform: string): Promise<SocketFolder> {
  const longest = platform === 'linux' ? longestBytes.linux : longestBytes.other
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longest)
    return { path: folder, close: () => Promise.resolve() }
  if (platform !== 'linux')
    throw new Problem(
      'unavailable',
      'embedded_postgres.path_too_long',
      `The path ${folder} is too long for a socket: choose a data folder with a shorter one (QUAYSIDE_DATA_DIR).`,
    )
  const handle: FileHandle = await open(folder)
  return { path: `/proc/${process.pid}/fd/${handle.fd}`, close: () => handle.close() }
}
