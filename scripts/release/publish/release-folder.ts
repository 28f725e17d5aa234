import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checksumsFile, hashFile, listAllFiles, type Artifact } from '../checksums.ts'
import { ReleaseError } from '../release-error.ts'
import { kindOf, type ArtifactKind } from './artifact-kind.ts'

export type PublishedArtifact = Artifact & { path: string; kind: ArtifactKind }

/** What is published of a release. */
export type ReleaseFolder = {
  version: string
  /** The Git commit and the repository from which the release was built. */
  commit: string
  repository: string
  /** In the order of the download page. */
  artifacts: PublishedArtifact[]
  notesPath: string
}

type Provenance = {
  predicate: {
    buildDefinition: {
      externalParameters: { version: string }
      resolvedDependencies: { uri?: string; digest: { gitCommit?: string } }[]
    }
  }
}

const signatures = [`${checksumsFile}.minisig`, `${checksumsFile}.sshsig`]

/** Reads the folder of a release. Throws `ReleaseError` if it is incomplete or differs from its checksums. */
export async function readReleaseFolder(folder: string): Promise<ReleaseFolder> {
  const files = await listAllFiles(folder).catch((error: unknown) => {
    throw new ReleaseError(`${folder} cannot be read. Create the release first with npm run release.`, {
      cause: error,
    })
  })
  const missing = [checksumsFile, ...signatures].find((name) => !files.includes(name))
  if (missing !== undefined)
    throw new ReleaseError(`${folder} has no ${missing}. Publish a release that was created completely.`)
  const provenance = files.find((name) => name.endsWith('.intoto.json'))
  if (provenance === undefined) throw new ReleaseError(`${folder} has no provenance.`)
  const { buildDefinition } = (JSON.parse(await readFile(join(folder, provenance), 'utf8')) as Provenance)
    .predicate
  const [source] = buildDefinition.resolvedDependencies
  return {
    version: buildDefinition.externalParameters.version,
    commit: source?.digest.gitCommit ?? '',
    repository: (source?.uri ?? '').replace(/^git\+/, ''),
    artifacts: await readArtifacts(folder, files),
    notesPath: join(folder, 'RELEASE_NOTES.md'),
  }
}

async function readArtifacts(folder: string, names: readonly string[]): Promise<PublishedArtifact[]> {
  const expected = await readChecksums(join(folder, checksumsFile))
  const artifacts: (PublishedArtifact & { position: number })[] = []
  for (const name of names) {
    const path = join(folder, name)
    const sha256 = await hashFile(path)
    if (!name.startsWith(checksumsFile) && expected.get(name) !== sha256)
      throw new ReleaseError(`${name} differs from ${checksumsFile}. Create the release again.`)
    artifacts.push({ name, sha256, path, ...kindOf(name) })
  }
  const absent = [...expected.keys()].find((name) => !names.includes(name))
  if (absent !== undefined) throw new ReleaseError(`${absent} is missing. Create the release again.`)
  return artifacts.toSorted((one, other) => one.position - other.position)
}

async function readChecksums(path: string): Promise<Map<string, string>> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const [sha256 = '', name = ''] = line.split('  ')
      return [name, sha256]
    }),
  )
}
