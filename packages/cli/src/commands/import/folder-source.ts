import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ChangedBuild, ChangedRelease } from '@quayside/sdk'
import { Failure } from '../../failure.ts'
import type { Agents } from '../../transfer/agents.ts'
import { fileChecksum } from '../../transfer/file-checksum.ts'
import { applicationFile } from '../export/run-export.ts'
import type { ExportedApplication } from '../export/run-export.ts'
import { filesOf } from '../mirror/copy-build.ts'
import { ignoring } from '../mirror/mirror-folder.ts'
import { neverImportedByApi } from './import-report.ts'
import type { ImportSource, SourceBuild, SourceFile, SourceFiles } from './import-source.ts'
import { noSettings } from './source-settings.ts'

/** Creates a source that reads the folder of `quayside export`. */
export async function createFolderSource(folder: string, agents: Agents): Promise<ImportSource> {
  const exported = await readApplication(folder)
  return {
    id: `${exported.server}/${exported.application.id}`,
    neverImported: neverImportedByApi,
    reportsFailedBuilds: false,
    application: () => Promise.resolve(exported.application),
    streams: () => Promise.resolve(exported.streams),
    labels: () => Promise.resolve(exported.labels),
    async *builds() {
      const found: { path: string; createdAt: string }[] = []
      for await (const path of jsonFiles(join(folder, 'builds'), 2))
        found.push({ path, createdAt: (await readJson<ChangedBuild>(path)).created_at })
      for (const { path } of found.toSorted(byCreation))
        yield { build: await readJson<SourceBuild>(path), files: () => findFiles(path, agents) }
    },
    async *releases() {
      const found: ChangedRelease[] = []
      for await (const path of jsonFiles(join(folder, 'releases'), 0)) found.push(await readJson(path))
      const ordered = found
        .map((release) => ({ release, createdAt: release.created_at }))
        .toSorted(byCreation)
      for (const { release } of ordered) yield release
    },
    settings: () => Promise.resolve(exported.settings ?? noSettings),
  }
}

/** Returns the files of the build that a file of the export describes. Throws if one is missing or damaged. */
async function findFiles(buildPath: string, agents: Agents): Promise<SourceFiles | undefined> {
  const build = await readJson<ChangedBuild>(buildPath)
  const files: (SourceFile & { relative: string })[] = []
  for (const { filename, sizeBytes, checksum, path: relative } of filesOf(build)) {
    const path = join(dirname(buildPath), relative)
    const found = await stat(path).catch(ignoring('ENOENT', 'ENOTDIR'))
    if (found === undefined) throw new Failure('failed', `${path} is missing. ${exportAgain}`)
    if (!found.isFile() || found.size !== sizeBytes) throw damaged(path)
    if (checksum !== undefined && (await fileChecksum(path, checksum.algorithm, agents)) !== checksum.hex)
      throw damaged(path)
    files.push({ filename, sizeBytes, checksum, path, relative })
  }
  const [primary] = files
  if (primary === undefined) return undefined
  return {
    primary,
    expansion: files.find(({ relative }) => relative.startsWith('expansion')),
    artifacts: files.filter(({ relative }) => relative.startsWith('metadata')),
  }
}

/** Reads the file that describes the exported application. Throws unless the export is complete. */
async function readApplication(folder: string): Promise<ExportedApplication> {
  const text = await readFile(join(folder, applicationFile), 'utf8').catch(ignoring('ENOENT', 'ENOTDIR'))
  if (text === undefined)
    throw new Failure(
      'failed',
      `${folder} contains no ${applicationFile}. Create it with \`quayside export\`.`,
    )
  const exported = parseObject(join(folder, applicationFile), text) as ExportedApplication
  if (typeof exported.format === 'number' && exported.format > 1)
    throw new Failure('failed', `${folder} was written by a newer version. Update the CLI.`)
  if (typeof exported.application?.id !== 'string') throw damaged(join(folder, applicationFile))
  if (!exported.is_complete)
    throw new Failure('failed', `The export in ${folder} is not complete. Rerun \`quayside export\`.`)
  return exported
}

const byCreation = (a: { createdAt: string }, b: { createdAt: string }): number =>
  a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0

const exportAgain = 'Rerun `quayside export` to replace it.'

const damaged = (path: string): Failure => new Failure('failed', `${path} is damaged. ${exportAgain}`)

async function readJson<T>(path: string): Promise<T> {
  const text = await readFile(path, 'utf8').catch(ignoring('ENOENT', 'ENOTDIR'))
  if (text === undefined) throw new Failure('failed', `${path} is missing. ${exportAgain}`)
  return parseObject(path, text) as T
}

function parseObject(path: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Reported like JSON that is not an object.
  }
  throw damaged(path)
}

/** Yields build.json of each folder `depth` levels below, or all JSON files of the folder if `depth` is 0. */
async function* jsonFiles(folder: string, depth: number): AsyncGenerator<string> {
  for (const name of ((await readdir(folder).catch(ignoring('ENOENT'))) ?? []).toSorted()) {
    if (depth > 1) yield* jsonFiles(join(folder, name), depth - 1)
    else if (depth === 1) yield join(folder, name, 'build.json')
    else if (name.endsWith('.json')) yield join(folder, name)
  }
}
