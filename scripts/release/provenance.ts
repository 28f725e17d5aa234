import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listArtifacts } from './checksums.ts'
import { lockedNodePrograms, packageUrl, sha512Of } from './executables/node-programs.ts'
import type { Release } from './release.ts'

const statementType = 'https://in-toto.io/Statement/v1'
const predicateType = 'https://slsa.dev/provenance/v1'
const buildType = 'urn:quayside:build:npm-run-release:v1'

/** Writes an in-toto statement about how the artifacts were built (SLSA provenance, version 1). */
export async function writeProvenance(release: Release): Promise<void> {
  const { root, folder, version, commit, url, builder, log } = release
  const artifacts = await listArtifacts(folder)
  const statement = {
    _type: statementType,
    subject: artifacts.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType,
    predicate: {
      buildDefinition: {
        buildType,
        externalParameters: { version, ...(url !== undefined && { url }) },
        resolvedDependencies: [{ ...repository(root), digest: { gitCommit: commit } }, ...nodes(root)],
      },
      // The times of a build are optional, and would differ between two runs.
      runDetails: { builder: { id: builder, version: { node: process.version } } },
    },
  }
  const name = `quayside-${version}.intoto.json`
  await writeFile(join(folder, name), `${JSON.stringify(statement, null, 2)}\n`)
  log(name)
}

function repository(root: string): { uri?: string } {
  const { repository: found } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    repository?: string | { url: string }
  }
  const url = typeof found === 'string' ? found : found?.url
  return url === undefined ? {} : { uri: url.startsWith('git+') ? url : `git+${url}` }
}

const nodes = (root: string): object[] =>
  lockedNodePrograms(root).map((program) => ({
    uri: packageUrl(program),
    digest: { sha512: sha512Of(program) },
  }))
