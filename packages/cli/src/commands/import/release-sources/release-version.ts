import { parseVersion, versionFromFilename, versionFromTag } from '@quayside/sdk/version'
import type { VersionParts } from '@quayside/sdk/version'

/** The versions of a build or release, with the fourth number of a version such as 1.2.3.4. */
export type ReleaseVersion = VersionParts & { buildNumber?: string }

/** The limits of the API. */
const maxExtraLength = 25
const maxMetaLength = 64

/** Returns the version in a tag, or in a version that a service reports. */
export function versionInTag(tag: string): ReleaseVersion | undefined {
  const [, front = tag, fourth] = /^(.*\d\.\d+\.\d+)\.(\d+)$/.exec(tag) ?? []
  const version = versionFromTag(front) ?? parseVersion(front)
  return version && withBuildNumber(version, fourth)
}

/**
 * Returns the version of a file. A tag takes precedence, because it was made for the release of the file, unless
 * `versionFrom` is `filename`.
 */
export function versionOfFile(
  tag: string | null,
  filename: string,
  versionFrom: 'tag' | 'filename' | undefined,
): ReleaseVersion | undefined {
  const inTag = () => (tag === null ? undefined : versionInTag(tag))
  const inName = () => {
    const found = versionFromFilename(filename)
    if (found === undefined) return undefined
    const { build, ...version } = found
    return withBuildNumber(version, build)
  }
  return versionFrom === 'filename' ? (inName() ?? inTag()) : (inTag() ?? inName())
}

const withBuildNumber = (version: VersionParts, buildNumber: string | undefined): ReleaseVersion => ({
  ...limit(version),
  ...(buildNumber === undefined ? {} : { buildNumber }),
})

/** Shortens the pre-release label and the metadata to what the API accepts. */
function limit({ extra, meta, ...numbers }: VersionParts): VersionParts {
  const label = shorten(extra, maxExtraLength)
  const metadata = shorten(meta, maxMetaLength)
  return { ...numbers, ...(label ? { extra: label } : {}), ...(metadata ? { meta: metadata } : {}) }
}

const shorten = (text: string | undefined, maxLength: number): string | undefined =>
  text?.split('.').filter(Boolean).join('.').slice(0, maxLength).replace(/\.$/, '')
