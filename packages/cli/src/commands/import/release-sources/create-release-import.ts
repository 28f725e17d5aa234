import { Failure } from '../../../failure.ts'
import type { Output } from '../../../output/output.ts'
import { safeFileName } from '../../../transfer/safe-name.ts'
import type { NotImported } from '../import-report.ts'
import type { BuildToImport, ImportSource, SourceFile, SourceFiles } from '../import-source.ts'
import { noSettings } from '../source-settings.ts'
import { cleanName, cleanText } from './imported-text.ts'
import { planRelease } from './plan-release.ts'
import type { PlannedBuild, PlanOptions, ReleasePlan } from './plan-release.ts'
import { followsFrom } from './probe-file.ts'
import type { ListedFile, ListedRelease, ReleaseSource } from './release-source.ts'

const maxReleases = 20_000
const maxFiles = 200_000
const maxFilenameBytes = 255

/** Lists the releases of another service and returns them as an application to import. */
export async function createReleaseImport(
  source: ReleaseSource,
  options: PlanOptions,
  { output, signal }: { output: Output; signal: AbortSignal },
): Promise<ImportSource> {
  const listed = await listReleases(source, signal)
  const notImported: NotImported[] = [...source.unusable]
  const report = (entry: NotImported) => void notImported.push(entry)
  const plans = listed.map((release) => planRelease(release, { source, options, report }))
  const builds = plans.flatMap((plan) => plan.builds).toSorted((a, b) => a.date.localeCompare(b.date))
  output.note(`Found ${listed.length} releases with ${builds.length} builds.`)
  return {
    id: source.id,
    neverImported: {
      what: `publication times, ${source.neverImported}`,
      reason:
        'The API does not accept them. The date is in the notes of each release and is the build time of its builds.',
    },
    reportsFailedBuilds: true,
    application: () =>
      Promise.resolve({
        name: cleanName(source.name, 100) ?? 'Imported application',
        description: cleanText(source.description, 1000),
        platforms: unique(builds.map(({ build }) => build.platform.identifier)),
      }),
    streams: () =>
      Promise.resolve(
        unique(builds.map(({ build }) => build.stream.name)).map((name) => ({
          name,
          description: null,
          retention_days: null,
        })),
      ),
    labels: () => Promise.resolve(labelsOf(plans).map((name) => ({ name, description: null }))),
    async *builds() {
      for (const planned of builds) yield toImport(planned, report)
    },
    async *releases() {
      for (const { release } of plans) if (release !== undefined) yield release
    },
    settings: () => Promise.resolve({ ...noSettings, unreadable: notImported }),
  }
}

/** Returns the releases, oldest first. */
async function listReleases(source: ReleaseSource, signal: AbortSignal): Promise<ListedRelease[]> {
  const releases: ListedRelease[] = []
  const ids = new Set<string>()
  let files = 0
  for await (const release of source.releases()) {
    signal.throwIfAborted()
    // A release that is published while the pages are read moves others to the next page.
    if (ids.has(release.id)) continue
    ids.add(release.id)
    files += release.files.length
    if (ids.size > maxReleases || files > maxFiles)
      throw new Failure(
        'failed',
        `There are more than ${maxReleases} releases or ${maxFiles} files. Nothing was imported.`,
      )
    releases.push(release)
  }
  return releases.toSorted((a, b) => (a.date ?? '').localeCompare(b.date ?? ''))
}

const unique = (items: string[]): string[] => [...new Set(items)]

const labelsOf = (plans: ReleasePlan[]): string[] =>
  unique(
    plans
      .flatMap(({ builds, release }) => [
        ...builds.flatMap(({ build }) => build.labels),
        ...(release?.labels ?? []),
      ])
      .map(({ name }) => name),
  )

const toImport = (
  { build, name, primary, expansion, artifacts }: PlannedBuild,
  report: (entry: NotImported) => void,
): BuildToImport => ({
  build,
  name,
  async files(): Promise<SourceFiles | undefined> {
    const file = await locate(primary)
    if (file === undefined) return undefined
    const found: SourceFile[] = []
    for (const artifact of artifacts) {
      const located = await locate(artifact).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.kind !== 'failed') throw error
        report({ what: `${artifact.filename}, which belongs to ${name}`, reason: error.message })
        return undefined
      })
      if (located !== undefined) found.push(located)
    }
    return {
      primary: file,
      expansion: expansion === undefined ? undefined : await requireExpansion(expansion),
      artifacts: found,
    }
  },
})

/** Returns the file if it can be imported, with a name that is safe on this computer. */
async function locate(file: ListedFile): Promise<SourceFile | undefined> {
  const found = await file.locate()
  if (found === undefined) return undefined
  const filename = safeFileName(found.filename)
  if (found.sizeBytes === 0) throw new Failure('failed', 'It is empty.')
  if (Buffer.byteLength(filename) > maxFilenameBytes)
    throw new Failure('failed', `Its name exceeds the limit of ${maxFilenameBytes} bytes.`)
  const first = await found.url?.(false)
  return { ...found, filename, ...(first === undefined ? {} : { follows: followsFrom(new URL(first)) }) }
}

async function requireExpansion(file: ListedFile): Promise<SourceFile> {
  const found = await locate(file)
  if (found === undefined) throw new Failure('failed', `Its expansion file ${file.filename} was deleted.`)
  return found
}
