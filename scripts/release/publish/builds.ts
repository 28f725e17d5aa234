import { setTimeout as pause } from 'node:timers/promises'
import { ReleaseError } from '../release-error.ts'
import type { CommandLine } from './command-line.ts'
import type { PublishedArtifact, ReleaseFolder } from './release-folder.ts'
import { positionOf, streams, type Stream } from './streams.ts'

type ListedBuild = { id: string; version: string; stream: { name: string } }
type FullBuild = ListedBuild & { primary_file: { filename: string; checksum_sha256: string | null } }

const maxChecksumAttempts = 60

/** Uploads the artifacts of a release that the application does not have, and returns the IDs of all their builds. */
export async function uploadArtifacts(
  commandLine: CommandLine,
  release: ReleaseFolder,
  print: (line: string) => void,
): Promise<string[]> {
  const existing = await findBuilds(commandLine, release.version)
  const ids: string[] = []
  for (const artifact of release.artifacts) {
    const found = existing.get(artifact.name)
    if (found !== undefined) await requireSameFile(commandLine, found, artifact, release.version)
    ids.push(found?.id ?? (await upload(commandLine, artifact, release)))
    print(`  ${artifact.name} (${found === undefined ? 'uploaded' : 'already uploaded'})`)
  }
  return ids
}

async function findBuilds({ quayside }: CommandLine, version: string): Promise<Map<string, FullBuild>> {
  const listed = await quayside<ListedBuild[]>('builds', 'list', '--search', version, '--all')
  const builds = new Map<string, FullBuild>()
  for (const { id } of listed.filter((build) => build.version === version)) {
    const build = await quayside<FullBuild>('builds', 'view', id)
    builds.set(build.primary_file.filename, build)
  }
  return builds
}

/** Throws if a build with the version and name of an artifact has another file. */
async function requireSameFile(
  { quayside }: CommandLine,
  found: FullBuild,
  { name, sha256 }: PublishedArtifact,
  version: string,
): Promise<void> {
  let { checksum_sha256: stored } = found.primary_file
  // The checksum of a file that was uploaded in parts is computed in the background.
  for (let attempt = 1; stored === null && attempt <= maxChecksumAttempts; attempt++) {
    await pause(1000)
    stored = (await quayside<FullBuild>('builds', 'view', found.id)).primary_file.checksum_sha256
  }
  if (stored === null)
    throw new ReleaseError(`The server has not computed the checksum of ${name} yet. Try again later.`)
  if (stored !== sha256)
    throw new ReleaseError(
      `Version ${version} already has another ${name} (build ${found.id}). Publish the change as a new version.`,
    )
}

async function upload(
  commandLine: CommandLine,
  { path, kind }: PublishedArtifact,
  { version, commit, repository }: ReleaseFolder,
): Promise<string> {
  const { label, platform, architecture } = kind
  const inputs = { FILE: path, VERSION: version, STREAM: streams[0].name, PLATFORM: platform, LABELS: label }
  return commandLine.upload(inputs, [
    ...(architecture === undefined ? [] : ['--architecture', architecture]),
    ...(commit === '' ? [] : ['--commit', commit]),
    ...(repository === '' ? [] : ['--repository', repository]),
  ])
}

/** Moves builds through the streams up to `target`, one after the other. Builds in later streams stay there. */
export async function promoteBuilds(
  { quayside }: CommandLine,
  version: string,
  { ids, target }: { ids: readonly string[]; target: Stream },
): Promise<void> {
  const listed = await quayside<ListedBuild[]>('builds', 'list', '--search', version, '--all')
  const builds = listed.filter(({ id }) => ids.includes(id))
  for (const [position, { name }] of streams.slice(0, positionOf(target) + 1).entries()) {
    const earlier = builds.filter(({ stream }) => positionOf(stream.name) < position)
    if (earlier.length > 0) await quayside('builds', 'move', ...earlier.map(({ id }) => id), name)
  }
}
