import { choosePlatform, platformsFor } from '@quayside/sdk/platform'
import { formatVersion } from '@quayside/sdk/version'
import { commitUrl, parseRepository } from '../../../ci/repository.ts'
import { safeFileName } from '../../../transfer/safe-name.ts'
import type { NotImported } from '../import-report.ts'
import type { SourceBuild, SourceRelease } from '../import-source.ts'
import { isCompanion, isExpansion, ownerOf } from './companion-files.ts'
import { cleanName, cleanText, notesWithOrigin } from './imported-text.ts'
import type { ListedFile, ListedRelease, ReleaseSource } from './release-source.ts'
import { versionInTag, versionOfFile } from './release-version.ts'
import type { ReleaseVersion } from './release-version.ts'

export type PlanOptions = {
  /** Stream of builds for which the service names none. */
  stream: string
  /** Platform of files whose name and type fit any. */
  platform?: string
  versionFrom?: 'tag' | 'filename'
}

/** A build with the files of the service that it consists of. */
export type PlannedBuild = {
  build: SourceBuild
  /** Names the file and its release in messages. */
  name: string
  /** When the build was released or, if the service stores builds, uploaded. */
  date: string
  primary: ListedFile
  expansion: ListedFile | undefined
  artifacts: ListedFile[]
}

export type ReleasePlan = { builds: PlannedBuild[]; release: SourceRelease | undefined }

type Planning = {
  source: ReleaseSource
  options: PlanOptions
  report: (entry: NotImported) => void
}

/** The limits of the API. */
const maxArtifacts = 25
const maxBuilds = 100
const prereleaseLabel = 'prerelease'

/** Returns the builds and the release to create for a release of another service. */
export function planRelease(listed: ListedRelease, planning: Planning): ReleasePlan {
  const { report } = planning
  const skip = (what: string, reason: string) => report({ what: `${what} of ${listed.title}`, reason })
  const named = listed.files.map((file) => ({ ...file, filename: safeFileName(file.filename) }))
  const packages = named.filter((file) => isPackage(file))
  const builds = packages.flatMap((file) => planBuild(file, listed, planning, skip))
  addExpansions(
    builds,
    named.filter((file) => !isPackage(file) && isExpansion(file.filename)),
    skip,
  )
  addArtifacts(
    builds,
    named.filter((file) => !isPackage(file) && isCompanion(file.filename)),
    skip,
  )
  return { builds, release: planSourceRelease(listed, builds, planning) }
}

/** Returns whether a file is a build. The files of a service that stores builds are. */
const isPackage = ({ build, filename }: ListedFile): boolean =>
  build !== undefined || (!isCompanion(filename) && !isExpansion(filename))

type Skip = (what: string, reason: string) => void

function planBuild(
  file: ListedFile,
  release: ListedRelease,
  { source, options }: Planning,
  skip: Skip,
): PlannedBuild[] {
  const { filename, build } = file
  const version = versionOfFile(build?.version ?? release.tag, filename, options.versionFrom)
  if (version === undefined) {
    skip(filename, 'No version was found in the tag or in the file name.')
    return []
  }
  const date = (build === undefined ? release.date : file.uploadedAt) ?? ''
  const planned: SourceBuild = {
    ...versionFields(version),
    id: file.id,
    build_structure: 'file',
    build_number: cleanName(build?.buildNumber ?? version.buildNumber ?? null, 100),
    platform: { identifier: build?.platform ?? platformOf(file, options.platform) },
    stream: { name: cleanName(build?.stream ?? null, 100) ?? options.stream },
    labels: labelsOf(release, build?.labels ?? []),
    architectures: [],
    notes: cleanText(build?.notes ?? null, 1000),
    build_source: 'cli-upload',
    built_at: file.uploadedAt ?? release.date,
    ci_pipeline: { ci_run_url: build?.runUrl ?? null },
    scm: scmOf(source, build?.commit ?? release.commit, build?.branch ?? null),
  }
  const name = `${filename} of ${release.title}`
  return [{ build: planned, name, date, primary: file, expansion: undefined, artifacts: [] }]
}

const versionFields = (version: ReleaseVersion) => ({
  version: formatVersion(version),
  version_semantic_major: version.major,
  version_semantic_minor: version.minor,
  version_semantic_patch: version.patch,
  version_semantic_extra: version.extra ?? null,
  version_semantic_meta: version.meta ?? null,
})

/** Returns the platform of a file by its name and those of its folders. */
function platformOf({ filename, hint = '' }: ListedFile, fallback: string | undefined): string {
  const choice = choosePlatform(hint === '' ? filename : `${hint}-${filename}`, 'unknown', undefined)
  const platform = 'platform' in choice ? choice.platform : 'generic'
  if (platform !== 'generic' || fallback === undefined) return platform
  return platformsFor(filename, 'unknown').includes(fallback) ? fallback : platform
}

const labelsOf = ({ isPrerelease }: ListedRelease, names: string[]): { name: string }[] =>
  [...(isPrerelease ? [prereleaseLabel] : []), ...names].flatMap((text) => {
    const name = cleanName(text, 50)
    return name === null ? [] : [{ name }]
  })

function scmOf(
  { repositoryUrl, repositoryHost }: ReleaseSource,
  commit: string | null,
  branch: string | null,
): NonNullable<SourceBuild['scm']> {
  const parsed = parseRepository(repositoryUrl ?? undefined)
  const host = parsed.host ?? repositoryHost ?? undefined
  const isKnown = parsed.url !== undefined || commit !== null
  return {
    scm_host_type: isKnown ? 'git' : null,
    scm_host: parsed.url === undefined ? null : (host ?? null),
    scm_repo_name: parsed.name ?? null,
    scm_repo_url: parsed.url ?? null,
    scm_branch: branch,
    scm_commit_sha: commit,
    scm_commit_url:
      commitUrl({ ...parsed, ...(host === undefined ? {} : { host }) }, commit ?? undefined) ?? null,
  }
}

/** Adds the expansion file to the only Android package of a release. */
function addExpansions(builds: PlannedBuild[], expansions: ListedFile[], skip: Skip): void {
  const [first, ...others] = expansions.toSorted(
    (a, b) => Number(b.filename.startsWith('main.')) - Number(a.filename.startsWith('main.')),
  )
  if (first === undefined) return
  const packages = builds.filter(({ primary }) => /\.apk$/i.test(primary.filename))
  const [only] = packages
  if (only === undefined || packages.length > 1) {
    for (const { filename } of expansions)
      skip(filename, `The release has ${only === undefined ? 'no' : 'several'} Android packages.`)
    return
  }
  only.expansion = first
  only.build.build_structure = 'file+expansion'
  for (const { filename } of others) skip(filename, 'A build has at most one expansion file.')
}

/** Adds the files that describe a build to it, and those that describe the release to its first build. */
function addArtifacts(builds: PlannedBuild[], companions: ListedFile[], skip: Skip): void {
  const names = builds.map(({ primary }) => primary.filename)
  for (const companion of companions) {
    const owner = ownerOf(companion.filename, names)
    const target = builds.find(({ primary }) => primary.filename === owner) ?? builds[0]
    if (target === undefined) skip(companion.filename, 'The release has no build to which it could be added.')
    else if (target.artifacts.length === maxArtifacts)
      skip(companion.filename, `A build has at most ${maxArtifacts} artifacts.`)
    else target.artifacts.push(companion)
  }
}

function planSourceRelease(
  listed: ListedRelease,
  builds: PlannedBuild[],
  { report }: Planning,
): SourceRelease | undefined {
  const { id, tag, notes, status, date } = listed
  const title = cleanName(listed.title, 200) ?? tag ?? id
  const skip = (what: string, reason: string) => report({ what: `${what} ${title}`, reason })
  const released = builds.filter(({ primary }) => primary.build?.isInRelease !== false)
  if (released.length === 0 && notes === null) {
    skip('the release', 'It has neither builds nor notes.')
    return undefined
  }
  const version = (tag === null ? undefined : versionInTag(tag)) ?? versionInTag(title)
  const fields = version === undefined ? released[0]?.build : versionFields(version)
  if (fields === undefined) {
    skip('the release', 'No version was found in its tag, in its title or in its files.')
    return undefined
  }
  const { text, isShortened } = notesWithOrigin(listed)
  if (isShortened) skip('the end of the notes of', 'The API limits notes to 20,000 characters.')
  if (released.length > maxBuilds)
    skip('builds in the release', `They are imported, but it can be created with at most ${maxBuilds}.`)
  return {
    id,
    title,
    notes: text,
    version_semantic_major: fields.version_semantic_major,
    version_semantic_minor: fields.version_semantic_minor,
    version_semantic_patch: fields.version_semantic_patch,
    version_semantic_extra: fields.version_semantic_extra,
    version_semantic_meta: fields.version_semantic_meta,
    labels: labelsOf(listed, []),
    build_ids: released.slice(0, maxBuilds).map(({ build }) => build.id),
    status,
    scheduled_for: status === 'scheduled' ? date : null,
  }
}
