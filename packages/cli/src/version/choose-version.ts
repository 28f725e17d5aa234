import { Failure } from '../failure.ts'
import { parseVersion, versionFromFilename, versionFromTag } from './version-parts.ts'
import type { VersionParts } from './version-parts.ts'

export type VersionSources = {
  /** The value of --version. */
  option?: string | undefined
  extra?: string | undefined
  meta?: string | undefined
  /** The tag of the CI run or of the local commit. */
  tag?: string | undefined
  filename: string
}

/** A version and where it was found. */
type FoundVersion = VersionParts & { from: string }

/** Returns the version of a build: from the option, otherwise from the tag, otherwise from the file name. */
export function chooseVersion(sources: VersionSources): FoundVersion {
  return {
    ...findVersion(sources),
    ...(sources.extra === undefined ? {} : { extra: sources.extra }),
    ...(sources.meta === undefined ? {} : { meta: sources.meta }),
  }
}

function findVersion({ option, tag, filename }: VersionSources): FoundVersion {
  if (option !== undefined) {
    const version = parseVersion(option)
    if (version) return { ...version, from: '--version' }
    throw new Failure(
      'usage',
      `"${option}" is not a valid version. Use a format such as 1.2.3, 1.2.3-rc.1 or 1.2.3+meta. Each number can be at most 9999, and at least one must be greater than 0.`,
    )
  }
  const tagVersion = tag === undefined ? undefined : versionFromTag(tag)
  if (tagVersion) return { ...tagVersion, from: `the tag ${tag}` }
  const filenameVersion = versionFromFilename(filename)
  if (filenameVersion) return { ...filenameVersion, from: 'the file name' }
  throw new Failure(
    'usage',
    `Cannot determine the version from a tag or from the file name ${filename}. Add --version, for example --version 1.2.3.`,
  )
}
