import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'

// The size of sun_path without the terminating null byte. See unix(7) on Linux and unix(4) on macOS.
const maxPathBytes = { linux: 107, other: 103 }

export type SocketFolder = { path: string; close: () => Promise<void> }

/**
 * Returns a path to the folder that is short enough to connect to a socket in it. If the actual path is too long, the
 * returned path refers to an open file handle and is valid until `close` is called.
 */
export async function openSocketFolder(folder: string, platform: string): Promise<SocketFolder> {
  const maxBytes = platform === 'linux' ? maxPathBytes.linux : maxPathBytes.other
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= maxBytes)
    return { path: folder, close: () => Promise.resolve() }
  if (platform !== 'linux')
    throw new EmbeddedPostgresError(
      'path_too_long',
      `The path ${folder} is too long for a socket. Choose a data folder with a shorter path.`,
    )
  const handle = await open(folder)
  return { path: `/proc/${process.pid}/fd/${handle.fd}`, close: () => handle.close() }
}
