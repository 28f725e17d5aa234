import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { allItems } from '@quayside/sdk'
import type { File, FullBuild } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { cannotRead } from '../../files/file-failure.ts'
import { formatTable } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { checksumOf, fileChecksumWithProgress } from '../../transfer/file-checksum.ts'
import { buildNotFound } from '../builds/format-build.ts'
import { requireBuildId } from '../builds/select-build.ts'
import type { LatestOptions } from '../builds/select-build.ts'

export type VerifyOptions = LatestOptions & { build?: string }

type LocalFile = { path: string; absolute: string; name: string; sizeBytes: number }
type Verified = {
  path: string
  matches: boolean
  build_id: string | null
  version: string | null
  filename: string | null
}

/** Compares local files with uploaded builds and prints the results. Throws if a file matches no build. */
export async function runVerify(
  context: CommandContext,
  paths: string[],
  options: VerifyOptions,
): Promise<void> {
  const files = await Promise.all(paths.map((path) => readLocalFile(context.runtime.cwd, path)))
  const application_id = await requireApplicationId(context)
  const only = options.build === undefined ? undefined : await findBuild(context, application_id, options)
  const results: Verified[] = []
  for (const file of files) {
    const builds = only ? [only] : await findBuildsWithFile(context, application_id, file)
    results.push(await verifyFile(context, file, builds))
  }
  context.output.result(results, (columns) =>
    formatTable(
      ['FILE', 'RESULT', 'BUILD', 'VERSION'],
      results.map(({ path, matches, build_id, version }) => [
        path,
        matches ? 'identical' : 'differs',
        build_id,
        version,
      ]),
      columns,
    ),
  )
  const differing = results.filter(({ matches }) => !matches)
  if (differing.length === 0) return
  const names = differing.map(({ path }) => path).join(', ')
  const hint = only
    ? `The build ${only.id} has no file with these bytes.`
    : 'No build with a file of the same name has these bytes. Use --build to compare with another build.'
  throw new Failure('failed', `${names}: ${hint}`)
}

async function readLocalFile(cwd: string, path: string): Promise<LocalFile> {
  const absolute = resolve(cwd, path)
  const stats = await stat(absolute).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(path, error)
  })
  if (!stats.isFile())
    throw new Failure('failed', `${path} is not a regular file. Specify the path of a file.`)
  return { path, absolute, name: basename(absolute), sizeBytes: stats.size }
}

async function findBuild(
  context: CommandContext,
  application_id: string,
  { build = '', ...latest }: VerifyOptions,
): Promise<FullBuild> {
  const build_id = await requireBuildId(context, application_id, build, latest)
  const response = context.client().getBuild({ application_id, build_id }, { signal: context.signal })
  return (await withNotFoundMessage(response, buildNotFound(build_id))).data
}

/** Returns the builds that may contain the file, the most recent first. */
async function findBuildsWithFile(
  { client, signal }: CommandContext,
  application_id: string,
  { name, sizeBytes }: LocalFile,
): Promise<FullBuild[]> {
  const found = await allItems((page) =>
    client().listBuilds(
      // The API limits a search to 50 characters.
      { application_id, search: name.slice(0, 50), sort_by: 'created_at', sort: 'desc', page, per_page: 100 },
      { signal },
    ),
  )
  const builds: FullBuild[] = []
  for (const { id, size_total_bytes } of found) {
    if (size_total_bytes < sizeBytes) continue
    const { data } = await client().getBuild({ application_id, build_id: id }, { signal })
    if (filesOf(data).some(({ filename }) => filename === name)) builds.push(data)
  }
  return builds
}

const filesOf = ({ primary_file, expansion_files }: FullBuild): File[] => [primary_file, ...expansion_files]

async function verifyFile(
  context: CommandContext,
  { path, absolute, sizeBytes }: LocalFile,
  builds: FullBuild[],
): Promise<Verified> {
  // A file is hashed only if a file of the same size exists, and only once per algorithm.
  const hashes = new Map<string, string>()
  let unverifiable: string | undefined
  for (const build of builds) {
    for (const file of filesOf(build)) {
      const checksum = checksumOf(file)
      if (file.size_bytes !== sizeBytes) continue
      if (!checksum) {
        unverifiable = build.id
        continue
      }
      const { algorithm, hex } = checksum
      const actual = hashes.get(algorithm) ?? (await fileChecksumWithProgress(context, absolute, algorithm))
      hashes.set(algorithm, actual)
      if (actual === hex)
        return {
          path,
          matches: true,
          build_id: build.id,
          version: build.version,
          filename: file.filename,
        }
    }
  }
  if (unverifiable === undefined)
    return { path, matches: false, build_id: null, version: null, filename: null }
  throw new Failure(
    'failed',
    `${path} cannot be compared with the build ${unverifiable}, because the server has not computed its checksum yet. Try again later.`,
  )
}
