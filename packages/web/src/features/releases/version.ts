type Versioned = { version: string }

const pattern = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

/** Returns the fields of the API for a version such as `2.14.0-beta.1`; undefined if it is not a version. */
export function parseVersion(text: string) {
  const match = pattern.exec(text.trim())
  if (match === null) return undefined
  const [, major, minor, patch, extra, meta] = match
  return {
    version_component_1_major: Number(major),
    version_component_2_minor: Number(minor),
    version_component_3_patch: Number(patch),
    version_component_extra: extra ?? null,
    version_component_meta: meta ?? null,
  }
}

// Build metadata, such as a commit, differs between builds of the same version.
const withoutMeta = (version: string): string => version.replace(/^v|\+.*$/g, '')

/** Returns the version of most builds, without build metadata; the newest of several. */
export function suggestVersion(builds: readonly Versioned[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { version } of builds) {
    const key = withoutMeta(version)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

/** Returns whether a build has another version than its release. */
export const isOtherVersion = (build: Versioned, version: string): boolean =>
  withoutMeta(build.version) !== withoutMeta(version.trim())

/** Returns the builds of other versions, and whether all of them are pre-releases of the version of the release. */
export function findOtherVersions<T extends Versioned>(builds: readonly T[], version: string) {
  const others = version === '' ? [] : builds.filter((build) => isOtherVersion(build, version))
  const ofRelease = `${withoutMeta(version.trim())}-`
  return { others, arePreReleases: others.every((build) => withoutMeta(build.version).startsWith(ofRelease)) }
}

/** Returns whether a version has a higher precedence than another one, as in SemVer 2.0, clause 11. */
export function isHigherVersion(version: string, than: string): boolean {
  const [one, other] = [parseVersion(version), parseVersion(than)]
  if (one === undefined || other === undefined) return false
  const numbers = (parts: typeof one) => [
    parts.version_component_1_major,
    parts.version_component_2_minor,
    parts.version_component_3_patch,
  ]
  const [own, others] = [numbers(one), numbers(other)]
  const differing = own.findIndex((value, index) => value !== others[index])
  if (differing !== -1) return (own[differing] ?? 0) > (others[differing] ?? 0)
  return isLaterStage(one.version_component_extra, other.version_component_extra)
}

/** Compares pre-release labels. A version without one is higher. */
function isLaterStage(extra: string | null, than: string | null): boolean {
  if (extra === null || than === null) return extra === null && than !== null
  const [own, others] = [extra.split('.'), than.split('.')]
  const index = own.findIndex((part, at) => part !== others[at])
  const [part, other] = [own[index], others[index]]
  if (part === undefined) return false
  if (other === undefined) return true
  const areNumbers = [part, other].map((each) => /^\d+$/.test(each))
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[1] === true
  return areNumbers[0] === true ? Number(part) > Number(other) : part > other
}

/** Returns the message about the version from the validation errors of the API, which has a field for each part. */
export const versionError = (fields: Record<string, string>): string | undefined =>
  Object.entries(fields).find(([field]) => field.startsWith('version_component_'))?.[1]
