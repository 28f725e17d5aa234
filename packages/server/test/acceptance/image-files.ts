import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The processors in the headers of ELF files. */
const processors: Record<number, string | undefined> = { 62: 'amd64', 183: 'arm64' }

export type ImageFile = { path: string; sha256: string; processor: string | undefined }

/** Returns all files of a mounted image, with the processor for which each program or library is built. */
export async function listImageFiles(root: string): Promise<ImageFile[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
  const files: ImageFile[] = []
  for (const path of paths) {
    const content = await readFile(path)
    const sha256 = createHash('sha256').update(content).digest('hex')
    files.push({ path: path.slice(root.length), sha256, processor: processorOf(content) })
  }
  return files
}

function processorOf(content: Buffer): string | undefined {
  if (content.toString('latin1', 0, 4) !== '\u007fELF') return undefined
  return processors[content.readUInt16LE(18)] ?? 'another'
}
