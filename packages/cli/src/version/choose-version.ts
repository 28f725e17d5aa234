import { formatVersion, parseVersion, versionFromFilename, versionFromTag } from '@quayside/sdk/version'
import type { FilenameVersion, VersionParts } from '@quayside/sdk/version'
import { Failure } from '../failure.ts'

export type VersionSources = {
  /** The value of --version. */
  option?: string | undefined
  extra?: string | undefined
  meta?: string | undefined
  /** The tag of the CI run or of the local commit. */
  tag?: string | undefined
  filename: string
  /** The value of --version-from. */
  versionFrom?: 'tag' | 'filename' | undefined
}

/**
 * A version, where it was found, and a message if the tag and the file name disagree. `build` is the build number in the
 * file name.
 */
type FoundVersion = FilenameVersion & { from: string; conflict?: string }

/**
 * Returns the version of a build: from the option, otherwise from the file name, otherwise from the tag. The file name
 * takes precedence, because the tag does not apply to a file that was built earlier or elsewhere.
 */
export function chooseVersion(sources: VersionSources): FoundVersion {
  return {
    ...findVersion(sources),
    ...(sources.extra === undefined ? {} : { extra: sources.extra }),
    ...(sources.meta === undefined ? {} : { meta: sources.meta }),
  }
}

function findVersion({ option, tag, filename, versionFrom }: VersionSources): FoundVersion {
  if (option !== undefined) return { ...requireVersion(option), from: '--version' }
  const inTag = tag === undefined || versionFrom === 'filename' ? undefined : versionFromTag(tag)
  const inFilename = versionFrom === 'tag' ? undefined : versionFromFilename(filename)
  if (inTag && (!inFilename || isRefinement(inTag, inFilename)))
    return { ...inFilename, ...inTag, from: `the tag ${tag}` }
  if (inFilename) {
    const found = { ...inFilename, from: 'the file name' }
    if (!inTag || isRefinement(inFilename, inTag)) return found
    const conflict =
      `The file name has version ${formatVersion(inFilename)}, but the tag ${tag} has version ` +
      `${formatVersion(inTag)}. Using the file name. To use the tag, add --version-from tag.`
    return { ...found, conflict }
  }
  const sources = { tag: 'a tag', filename: `the file name ${filename}` }
  const source = versionFrom ? sources[versionFrom] : `a tag or in ${sources.filename}`
  throw new Failure('usage', `No version was found in ${source}. Add one, such as --version 1.2.3.`)
}

/** Returns whether a version equals another or only adds a pre-release label or metadata to it. */
function isRefinement(version: VersionParts, of: VersionParts): boolean {
  return (
    version.major === of.major &&
    version.minor === of.minor &&
    version.patch === of.patch &&
    (of.extra === undefined || of.extra === version.extra) &&
    (of.meta === undefined || of.meta === version.meta)
  )
}

/** Parses a version given as an option. Throws if it is invalid. */
export function requireVersion(text: string): VersionParts {
  const version = parseVersion(text)
  if (version) return version
  const fourParts = /^[vV]?(\d{1,4}\.\d{1,4}\.\d{1,4})\.(\d+)$/.exec(text.trim())
  const hint = fourParts
    ? `A version has three numbers. For a build, use --version ${fourParts[1]} --build-number ${fourParts[2]}.`
    : 'Use a format such as 1.2.3, 1.2.3-rc.1 or 1.2.3+meta. Each number can be at most 9999, and at least one must be greater than 0.'
  throw new Failure('usage', `"${text}" is not a valid version. ${hint}`)
}
