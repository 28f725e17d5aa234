import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Headers for native modules, which no package compiles. They are a third of the bundled Node. */
const headers = /^node-[a-z]+-[a-z0-9]+[/\\]include$/

/** Only debuggers read source maps, of which there are 50 MB. */
const sourceMap = /\.(?:[cm]?js|[cm]?ts|css)\.map$/

/** Types, sources, documents and settings of tools, and what only the compiler of an extension of PostgreSQL reads. */
const buildFile =
  /\.(?:[cm]?ts|tsx|md|markdown|flow|a|pc|exe|sh|html)$|[/\\](?:pgxs|pkgconfig|man|__tests__|\.[^/\\]+)$/
/** Folders at the top of a package that its code does not load. */
const buildFolder =
  /(?:^|node_modules[/\\])(?:@[^/\\]+[/\\])?[^/\\@]+[/\\](?:benchmarks?|docs|examples?|integration|scripts|tests?)$/
/** License texts must accompany the packages, also in Markdown. */
const license = /[/\\](?:licen[cs]e|copying|notice|third.?party)[^/\\]*$/i

/** Deletes the files of packages in `folder` that nothing reads. They are more than 100 MB. */
export const deleteUnusedFiles = (folder: string): Promise<void> =>
  deleteFiles(folder, '', (name, isFile) => headers.test(name) || (isFile && sourceMap.test(name)))

/** Deletes the files of packages in `folder` that only developers and compilers read. */
export const deleteBuildFiles = (folder: string): Promise<void> =>
  deleteFiles(folder, '', (name) => (buildFile.test(name) || buildFolder.test(name)) && !license.test(name))

async function deleteFiles(
  folder: string,
  path: string,
  isUnused: (name: string, isFile: boolean) => boolean,
): Promise<void> {
  const entries = await readdir(join(folder, path), { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const name = join(path, entry.name)
      if (isUnused(name, entry.isFile())) await rm(join(folder, name), { recursive: true })
      else if (entry.isDirectory()) await deleteFiles(folder, name, isUnused)
    }),
  )
}
