import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuildDownload, ChangedBuild } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { silentProgress } from '../../output/progress.ts'
import type { Agents } from '../../transfer/agents.ts'
import { downloadFile } from '../../transfer/download-file.ts'
import { checksumOf, fileChecksum } from '../../transfer/file-checksum.ts'
import type { Checksum } from '../../transfer/partial-file.ts'
import { safeFileName, safeFolderName } from '../../transfer/safe-name.ts'
import { ignoring, namesIn, syncFolder, writeJson } from './mirror-folder.ts'
import type { Entry, MirrorFolder } from './mirror-folder.ts'

type MirroredFile = {
  id: string
  /** Path relative to the build folder. */
  path: string
  filename: string
  sizeBytes: number
  checksum: Checksum | undefined
}

/** The work needed to bring the copy of a build up to date. */
export type CopyPlan = {
  build: ChangedBuild
  entry: Entry | undefined
  /** The folder in which the copy is assembled. */
  home: string
  /** The final folder of the copy. */
  target: string
  missing: MirroredFile[]
  files: MirroredFile[]
}

/** Returns the download links for a build's files, or undefined if the build was deleted. */
export type FetchLinks = (buildId: string, fresh: boolean) => Promise<BuildDownload | undefined>

const showsProgressFromBytes = 64 * 1024 * 1024

/** Returns the path of a build folder in the mirror. It is unique because it contains the build ID. */
export const buildPath = (top: 'builds' | 'deleted', { id, stream, version }: ChangedBuild): string =>
  join(top, safeFolderName(stream.name), `${safeFolderName(version)}_${id}`)

export function filesOf(build: ChangedBuild): MirroredFile[] {
  type Source = {
    id: string
    filename: string
    size_bytes: number
    checksum_md5: string | null
    checksum_sha256: string | null
  }
  const fileIn = (file: Source, ...folder: string[]) => ({
    id: file.id,
    path: join(...folder, safeFileName(file.filename)),
    filename: file.filename,
    sizeBytes: file.size_bytes,
    checksum: checksumOf(file),
  })
  return [
    fileIn(build.primary_file, 'files'),
    ...build.expansion_files.map((file) => fileIn(file, 'expansion')),
    ...build.metadata_artifacts.map((file) => fileIn(file, 'metadata', safeFolderName(file.id))),
  ]
}

/** Compares a build with its copy and returns the work needed to update the copy. */
export async function planCopy(folder: MirrorFolder, build: ChangedBuild, agents: Agents): Promise<CopyPlan> {
  const entry = await folder.loadEntry('builds', build.id)
  const target = buildPath('builds', build)
  const existing = await folder.firstExisting([...(entry?.paths ?? []), target])
  const home = existing ?? folder.staging(build.id)
  const files = filesOf(build)
  const missing: MirroredFile[] = []
  for (const file of files)
    if (!(await isComplete(folder.path(home, file.path), file, agents, entry?.files))) missing.push(file)
  return { build, entry, home, target, missing, files }
}

/** Returns whether a file exists with the expected content. Skips reading it if an earlier run verified it. */
async function isComplete(
  path: string,
  { id, sizeBytes, checksum }: MirroredFile,
  agents: Agents,
  verified: Entry['files'] = {},
): Promise<boolean> {
  const found = await stat(path).catch(ignoring('ENOENT', 'ENOTDIR'))
  if (found?.size !== sizeBytes) return false
  if (checksum === undefined) return verified[id] === null
  if (verified[id] === checksum.hex) return true
  return (await fileChecksum(path, checksum.algorithm, agents)) === checksum.hex
}

/** Updates the copy of a build. Returns the number of bytes received, or undefined if a file no longer exists. */
export async function copyBuild(
  context: CommandContext,
  folder: MirrorFolder,
  { build, entry, home, target, missing, files }: CopyPlan,
  round: number,
  fetchLinks: FetchLinks,
): Promise<number | undefined> {
  let receivedBytes = 0
  for (const file of missing) {
    const received = await copyFile(context, folder, { buildId: build.id, home, file, fetchLinks })
    if (received === undefined) return undefined
    receivedBytes += received
  }
  await removeOtherArtifacts(folder.path(home, 'metadata'), build)
  await writeJson(folder.path(home, 'build.json'), build)
  await syncFolder(folder.path(home))
  const known = Object.fromEntries(files.map(({ id, checksum }) => [id, checksum?.hex ?? null]))
  const others = (entry?.paths ?? []).filter((path) => path !== home && path !== target)
  // Both paths are recorded before the move. If the run is killed during the move, the next run can still find the
  // copy.
  const paths = [...new Set([home, target])].filter((path) => path !== folder.staging(build.id))
  if (home !== target) {
    await folder.saveEntry('builds', build.id, {
      paths: [...paths, ...others],
      files: known,
      round,
    })
    await folder.move(home, target)
  }
  for (const path of others) await folder.discard(path)
  await folder.saveEntry('builds', build.id, { paths: [target], files: known, round })
  return receivedBytes
}

type FileCopy = { buildId: string; home: string; file: MirroredFile; fetchLinks: FetchLinks }

async function copyFile(
  context: CommandContext,
  folder: MirrorFolder,
  { buildId, home, file, fetchLinks }: FileCopy,
): Promise<number | undefined> {
  const target = folder.path(home, file.path)
  const partialPath = folder.path(folder.staging('partial', `${buildId}-${safeFolderName(file.id)}`))
  await mkdir(dirname(target), { recursive: true })
  await mkdir(dirname(partialPath), { recursive: true })
  const linkTo = async (fresh: boolean) => {
    const links = await fetchLinks(buildId, fresh)
    const all =
      links === undefined ? [] : [links.primary_file, ...links.expansion_files, ...links.metadata_artifacts]
    const link = all.find(({ id }) => id === file.id)
    if (link === undefined) throw new FileGone()
    return link
  }
  const { output } = context
  try {
    const { receivedBytes } = await downloadFile({
      filename: file.filename,
      sizeBytes: file.sizeBytes,
      checksum: file.checksum,
      fetchChecksum: async () => checksumOf(await linkTo(true)),
      target,
      partialPath,
      url: async (fresh) => (await linkTo(fresh)).temp_url,
      agents: context.agents,
      output:
        file.sizeBytes < showsProgressFromBytes ? { ...output, progress: () => silentProgress } : output,
      signal: context.signal,
    })
    await syncFolder(dirname(target))
    return receivedBytes
  } catch (error) {
    if (!(error instanceof FileGone)) throw error
    await rm(partialPath, { force: true })
    return undefined
  }
}

/** Thrown if a file is deleted while it is being copied. The feed lists the deletion later. */
class FileGone extends Error {}

async function removeOtherArtifacts(path: string, { metadata_artifacts }: ChangedBuild): Promise<void> {
  const ids = new Set(metadata_artifacts.map(({ id }) => safeFolderName(id)))
  for (const name of await namesIn(path))
    if (!ids.has(name)) await rm(join(path, name), { recursive: true, force: true })
}
