import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

type Found = { path: string; isFile: boolean }

/**
 * Lists what is in a folder and in the folders in it. Links are listed and not followed: `readdir` with `recursive` follows
 * links to folders, also out of the folder and in a circle.
 */
export async function listBelow(folder: string): Promise<Found[]> {
  const found: Found[] = []
  await addBelow(folder, found)
  return found
}

async function addBelow(folder: string, found: Found[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    found.push({ path, isFile: entry.isFile() })
    if (entry.isDirectory()) await addBelow(path, found)
  }
}
