import type { BigIntStats, Dirent } from 'node:fs'
import { lstat, open, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@quayside/sdk/folder-rules'
import { crc32 } from '../archive/read-content.ts'
import { cannotRead } from '../files/file-failure.ts'
import { pathKey } from './archive-entry.ts'
import type { NameRules } from './archive-entry.ts'

/** What is in the folder at a path that contains no symbolic links. */
export type LocalItem = {
  /** Path relative to the folder, with `/` between its segments. */
  path: string
  kind: 'file' | 'link' | 'folder' | 'other'
  stats: BigIntStats
}

/** Lists everything below a folder by the keys of its paths, except the state. Links are not followed. */
export async function listFolder(
  folder: string,
  rules: NameRules,
  signal: AbortSignal,
): Promise<Map<string, LocalItem>> {
  const items = new Map<string, LocalItem>()
  const visit = async (prefix: string): Promise<void> => {
    signal.throwIfAborted()
    const path = join(folder, prefix)
    const found = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      throw cannotRead(path, error)
    })
    const listed = prefix === '' ? found.filter(({ name }) => name !== syncFolder) : found
    const added = await Promise.all(listed.map((entry) => itemAt(folder, `${prefix}${entry.name}`, entry)))
    for (const item of added) items.set(pathKey(item.path, rules), item)
    for (const { kind, path: name } of added) if (kind === 'folder') await visit(`${name}/`)
  }
  await visit('')
  return items
}

async function itemAt(folder: string, path: string, entry: Dirent): Promise<LocalItem> {
  const stats = await lstat(join(folder, path), { bigint: true }).catch((error: unknown) => {
    throw cannotRead(join(folder, path), error)
  })
  const kind = stats.isFile()
    ? 'file'
    : stats.isSymbolicLink()
      ? 'link'
      : stats.isDirectory() && entry.isDirectory()
        ? 'folder'
        : 'other'
  return { path, kind, stats }
}

/** Returns the target of a link as archives contain it. */
export async function readTarget(path: string, isWindows: boolean): Promise<Buffer> {
  const target = await readlink(path)
  return Buffer.from(isWindows ? target.replaceAll('\\', '/') : target)
}

const readBytes = 1024 * 1024

/** Computes the CRC-32 of a file. */
export async function fileCrc(
  path: string,
  { signal, onBytes }: { signal: AbortSignal; onBytes?: (bytes: number) => void },
): Promise<number> {
  const handle = await open(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(readBytes, size)))
    let crc = 0
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) return crc
      crc = crc32(buffer.subarray(0, bytesRead), crc)
      onBytes?.(bytesRead)
    }
  } finally {
    await handle.close()
  }
}
