import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Build = {
  name: string
  /** Patterns of the files that the output depends on, relative to the root of the repository. */
  sources: string[]
  /** The folder that the build replaces. */
  output: string
  /** Writes the files of the output into a new folder. */
  build: (folder: string) => Promise<void>
}

const root = join(import.meta.dirname, '../..')
const stamp = 'sources.sha256'

/** Replaces the output if its sources have changed since it was built. A running service never reads half a build. */
export async function buildIfChanged({ name, sources, output, build }: Build): Promise<void> {
  const current = hashFiles(sources)
  const folder = join(root, output)
  const built = join(folder, stamp)
  if (existsSync(built) && readFileSync(built, 'utf8') === current) {
    const now = new Date()
    utimesSync(built, now, now)
    return
  }
  const startedAt = performance.now()
  process.stderr.write(`Building ${name} …\n`)
  const unfinished = `${folder}.${process.pid}`
  await build(unfinished)
  writeFileSync(join(unfinished, stamp), current)
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
  process.stderr.write(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`)
}

function hashFiles(patterns: string[]): string {
  const hash = createHash('sha256')
  const files = globSync(patterns, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const file of files.map((entry) => join(entry.parentPath, entry.name)).toSorted())
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}
