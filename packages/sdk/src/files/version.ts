/** The parts of a version: three integers, the pre-release label (`extra`) and the metadata (`meta`). */
export type VersionParts = {
  major: number
  minor: number
  patch: number
  extra?: string
  meta?: string
}

const semantic =
  /^[vV]?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

/** Parses `1`, `1.2`, `v1.2.3` or `1.2.3-rc.1+build.5`. Returns undefined for any other string. */
export function parseVersion(text: string): VersionParts | undefined {
  const match = semantic.exec(text.trim())
  return match ? toParts(match[1], match[2], match[3], match[4], match[5]) : undefined
}

/**
 * Returns the version in a tag such as `v1.2.3`, `release/1.2.3-rc.1` or `app@1.2`. Everything after the last
 * separator must be a version with at least two numbers. A bare `v2` is accepted too.
 */
export function versionFromTag(tag: string): VersionParts | undefined {
  const match =
    /(?:^|[/@_-])[vV]?(\d+\.\d+(?:\.\d+)?(?:[-+][0-9A-Za-z.+-]+)?)$/.exec(tag) ?? /^[vV](\d+)$/.exec(tag)
  return match?.[1] === undefined ? undefined : parseVersion(match[1])
}

// Other words after the numbers, such as `arm64` or `release`, are not pre-release labels.
const preRelease =
  /^[-_.~]?((?:alpha|beta|rc|pre|preview|dev|nightly|canary|snapshot|next|test|milestone)(?:[-.]?\d+)*)(?![A-Za-z])/i
const extension = /(?:\.pkg)?(?:\.tar)?\.(?:7z|[A-Za-z]\w{0,9})$/

/** The version in a file name. `build` contains the numbers after the third, such as `4` in `app-1.2.3.4.zip`. */
export type FilenameVersion = VersionParts & { build?: string }

/**
 * Returns the version in a file name such as `app-1.2.3-rc.1-arm64.apk`. Prefers a version with three or more numbers to
 * one with two.
 */
export function versionFromFilename(filename: string): FilenameVersion | undefined {
  const stem = filename.replace(extension, '')
  const candidates = [...stem.matchAll(/(?<![0-9.])\d+(?:\.\d+)+/g)].map((match) => {
    const rest = stem.slice(match.index + match[0].length)
    const label = preRelease.exec(rest)
    const meta = /^\+([0-9A-Za-z.-]+)/.exec(rest.slice(label?.[0].length ?? 0))
    const numbers = match[0].split('.')
    const version = toParts(numbers[0], numbers[1], numbers[2], label?.[1], meta?.[1])
    const build = numbers.slice(3).join('.')
    return { count: numbers.length, version: version && build ? { ...version, build } : version }
  })
  const valid = candidates.filter((candidate) => candidate.version !== undefined)
  return (valid.find((candidate) => candidate.count > 2) ?? valid[0])?.version
}

/** Formats a version as `1.2.3-rc.1+build.5`. */
export function formatVersion(version: VersionParts): string {
  const { major, minor, patch, extra, meta } = version
  return `${major}.${minor}.${patch}${extra ? `-${extra}` : ''}${meta ? `+${meta}` : ''}`
}

function toParts(
  major: string | undefined,
  minor: string | undefined,
  patch: string | undefined,
  extra: string | undefined,
  meta: string | undefined,
): VersionParts | undefined {
  const numbers = {
    major: Number(major ?? 0),
    minor: Number(minor ?? 0),
    patch: Number(patch ?? 0),
  }
  const all = Object.values(numbers)
  if (all.some((number) => number > 9999) || all.every((number) => number === 0)) return undefined
  return { ...numbers, ...(extra ? { extra } : {}), ...(meta ? { meta } : {}) }
}
