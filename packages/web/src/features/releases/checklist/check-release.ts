import type { Build, FullBuild, FullRelease, ReleaseAudience } from '@quayside/sdk'
import { checklistText as text } from '../../../text/releases/release-checklist.ts'
import { isSensitive, shortPermission } from '../../builds/overview/sensitive-permissions.ts'
import { findOtherVersions, isHigherVersion } from '../version.ts'

/** What resolves an open item. */
export type Fix = { kind: Exclude<keyof typeof text.fixes, 'build'> } | { kind: 'build'; buildId: string }

export type ChecklistItem = {
  id: string
  state: keyof typeof text.states
  text: string
  fix?: Fix | undefined
}

/** What is known about a release. Undefined parts could not be loaded, and their items are left out. */
export type ReleaseFacts = {
  release: FullRelease
  /** The release published before it. */
  previous: FullRelease | undefined
  builds: readonly FullBuild[] | undefined
  /** Builds of the previous release by the ID of the build that replaces them. */
  before: ReadonlyMap<string, FullBuild> | undefined
  audience: ReleaseAudience
}

/** Returns what to check before a release is published, with what is done and how to do the rest. */
export function checkRelease(facts: ReleaseFacts): ChecklistItem[] {
  const { release, previous, builds, before, audience } = facts
  const hasBuilds = release.builds.length > 0
  return [
    checkNotes(release),
    checkPlatforms(release, previous),
    ...(hasBuilds ? [checkProcessing(release.builds)] : []),
    checkVersion(release, previous),
    ...(hasBuilds ? [checkBuildVersions(release)] : []),
    ...(hasBuilds && builds !== undefined ? [checkChecksums(builds), checkSignatures(builds)] : []),
    ...(builds !== undefined && before !== undefined ? [checkPermissions(release, builds, before)] : []),
    checkAudience(audience),
  ]
}

const item = (id: string, state: ChecklistItem['state'], sentence: string, fix?: Fix): ChecklistItem => ({
  id,
  state,
  text: sentence,
  fix: state === 'open' ? fix : undefined,
})

const hasNotes = ({ notes }: FullRelease): boolean => (notes ?? '').trim() !== ''

function checkNotes(release: FullRelease): ChecklistItem {
  const state = hasNotes(release) ? 'done' : 'open'
  return item('notes', state, text.notes[state], { kind: 'notes' })
}

function checkPlatforms(release: FullRelease, previous: FullRelease | undefined): ChecklistItem {
  const fix = { kind: 'add-builds' } as const
  if (release.builds.length === 0) return item('platforms', 'open', text.platforms.empty, fix)
  if (previous === undefined) return item('platforms', 'none', text.platforms.first)
  const own = new Set(release.builds.map(({ platform }) => platform.identifier))
  const missing = previous.platforms.filter(({ identifier }) => !own.has(identifier))
  if (missing.length === 0) return item('platforms', 'done', text.platforms.done(previous.version))
  const names = missing.map(({ name }) => name)
  return item('platforms', 'open', text.platforms.open(names, previous.version), fix)
}

/** Returns the names of the platforms of builds, each once. */
const platformNames = (builds: readonly Pick<Build, 'platform'>[]): string[] => [
  ...new Set(builds.map(({ platform }) => platform.name)),
]

const openBuild = (builds: readonly { id: string }[]): Fix | undefined => {
  const [first] = builds
  return first === undefined ? undefined : { kind: 'build', buildId: first.id }
}

function checkProcessing(builds: readonly Build[]): ChecklistItem {
  const failed = builds.filter(({ processing }) => processing === 'failed')
  if (failed.length > 0)
    return item('processing', 'open', text.processing.failed(platformNames(failed)), openBuild(failed))
  const waiting = builds.filter(({ processing }) => processing === 'queued' || processing === 'waiting')
  return waiting.length > 0
    ? item('processing', 'open', text.processing.waiting(waiting.length), openBuild(waiting))
    : item('processing', 'done', text.processing.done)
}

function checkVersion({ version }: FullRelease, previous: FullRelease | undefined): ChecklistItem {
  if (previous === undefined) return item('version', 'none', text.version.first)
  const state = isHigherVersion(version, previous.version) ? 'done' : 'open'
  return item('version', state, text.version[state](previous.version), { kind: 'edit' })
}

function checkBuildVersions({ builds, version }: FullRelease): ChecklistItem {
  const { others, arePreReleases } = findOtherVersions(builds, version)
  if (others.length === 0) return item('build-versions', 'done', text.buildVersions.done)
  return item('build-versions', 'open', text.buildVersions.open(others.length), {
    kind: arePreReleases ? 'add-builds' : 'edit',
  })
}

function checkChecksums(builds: readonly FullBuild[]): ChecklistItem {
  const without = builds.filter(({ primary_file: file }) => file.checksum_sha256 === null)
  return without.length === 0
    ? item('checksums', 'done', text.checksums.done)
    : item(
        'checksums',
        'open',
        text.checksums.open(without.map(({ primary_file: file }) => file.filename)),
        openBuild(without),
      )
}

function checkSignatures(builds: readonly FullBuild[]): ChecklistItem {
  const withStatus = (...states: string[]) =>
    builds.filter(({ file_info: file }) => states.includes(file?.signature_status ?? ''))
  const invalid = withStatus('invalid')
  if (invalid.length > 0)
    return item('signatures', 'open', text.signatures.invalid(platformNames(invalid)), openBuild(invalid))
  const unsigned = withStatus('unsigned')
  if (unsigned.length > 0)
    return item('signatures', 'open', text.signatures.unsigned(platformNames(unsigned)), openBuild(unsigned))
  return withStatus('valid').length > 0
    ? item('signatures', 'done', text.signatures.done)
    : item('signatures', 'none', text.signatures.none)
}

/** Checks that the notes mention each new sensitive permission, such as `READ_CONTACTS` or “read contacts”. */
function checkPermissions(
  release: FullRelease,
  builds: readonly FullBuild[],
  before: ReadonlyMap<string, FullBuild>,
): ChecklistItem {
  const pairs = builds.flatMap(({ id, android_info: now }) => {
    const old = before.get(id)?.android_info
    return now === null || old === null || old === undefined ? [] : [{ now, old }]
  })
  if (pairs.length === 0) return item('permissions', 'none', text.permissions.none)
  const added = new Set(
    pairs
      .flatMap(({ now, old }) => now.permissions.filter((each) => !old.permissions.includes(each)))
      .filter(isSensitive)
      .map(shortPermission),
  )
  if (added.size === 0) return item('permissions', 'done', text.permissions.done)
  const notes = wordsOf(release.notes ?? '')
  const missing = [...added].filter((permission) => !notes.includes(wordsOf(permission)))
  return missing.length === 0
    ? item('permissions', 'done', text.permissions.mentioned)
    : item('permissions', 'open', text.permissions.open(missing), { kind: 'edit-notes' })
}

const wordsOf = (notes: string): string => notes.toLowerCase().replaceAll(/[\s_-]+/g, ' ')

function checkAudience({ groups, portals, channels, share_link_count: links }: ReleaseAudience) {
  const isFound =
    groups.some(({ is_active: isActive }) => isActive) ||
    portals.some(({ is_included: isIncluded }) => isIncluded) ||
    channels.length > 0 ||
    links > 0
  const state = isFound ? 'done' : 'open'
  return item('audience', state, text.audience[state], { kind: 'audience' })
}
