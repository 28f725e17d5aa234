import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Headers for native modules, which no package compiles. They are a third of the bundled Node. */
const headers = /^node-[a-z]+-[a-z0-9]+[/\\]include$/

/** Only debuggers read source maps, of which there are 50 MB. */
const sourceMap = /\.(?:[cm]?js|[cm]?ts|css)\.map$/

/** Deletes the files of packages in `folder` that nothing reads. They are more than 100 MB. */
export async function deleteUnusedFiles(folder: string, path = ''): Promise<void> {
  const entries = await readdir(join(folder, path), { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const name = join(path, entry.name)
      if (headers.test(name) || (entry.isFile() && sourceMap.test(name)))
        await rm(join(folder, name), { recursive: true })
      else if (entry.isDirectory()) await deleteUnusedFiles(folder, name)
    }),
  )
}
