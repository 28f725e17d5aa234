/** A version as the service takes it: three integers, pre-release label, metadata. */
export type VersionParts = { major: number; minor: number; patch: number; extra?: string; meta?: string }

const semantic =
  /^[vV]?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

/** Reads `1`, `1.2`, `v1.2.3`, `1.2.3-rc.1+build.5`; undefined when the text is no such version. */
export function parseVersion(text: string): VersionParts | undefined {
  const match = semantic.exec(text.trim())
  return match ? parts(match[1], match[2], match[3], match[4], match[5]) : undefined
}

/**
 * Finds the version in a tag such as `v1.2.3`, `release/1.2.3-rc.1` or `app@1.2`: the whole end of the tag
 * after its last separator must be a version of at least two numbers (a bare `v2` counts too).
 */
export function versionOfTag(tag: string): VersionParts | undefined {
  const match =
    /(?:^|[/@_-])[vV]?(\d+\.\d+(?:\.\d+)?(?:[-+][0-9A-Za-z.+-]+)?)$/.exec(tag) ?? /^[vV](\d+)$/.exec(tag)
  return match?.[1] === undefined ? undefined : parseVersion(match[1])
}

// Words that mark a pre-release in file names; anything else after the numbers (arm64, release) is not one.
const preRelease =
  /^[-_.~]?((?:alpha|beta|rc|pre|preview|dev|nightly|canary|snapshot|next|test|milestone)(?:[-.]?\d+)*)(?![A-Za-z])/i
const extension = /(?:\.pkg)?(?:\.tar)?\.(?:7z|[A-Za-z]\w{0,9})$/

/** Finds the version in a file name such as `app-1.2.3-rc.1-arm64.apk`; three numbers win over two. */
export function versionOfFileName(filename: string): VersionParts | undefined {
  const stem = filename.replace(extension, '')
  const found = [...stem.matchAll(/(?<![0-9.])\d+(?:\.\d+)+/g)].map((match) => {
    const rest = stem.slice(match.index + match[0].length)
    const label = preRelease.exec(rest)
    const meta = /^\+([0-9A-Za-z.-]+)/.exec(rest.slice(label?.[0].length ?? 0))
    const numbers = match[0].split('.')
    return {
      count: numbers.length,
      version: parts(numbers[0], numbers[1], numbers[2], label?.[1], meta?.[1]),
    }
  })
  const usable = found.filter((candidate) => candidate.version !== undefined)
  return (usable.find((candidate) => candidate.count > 2) ?? usable[0])?.version
}

/** `1.2.3-rc.1+build.5`. */
export function versionText(version: VersionParts): string {
  const { major, minor, patch, extra, meta } = version
  return `${major}.${minor}.${patch}${extra ? `-${extra}` : ''}${meta ? `+${meta}` : ''}`
}

function parts(
  major: string | undefined,
  minor: string | undefined,
  patch: string | undefined,
  extra: string | undefined,
  meta: string | undefined,
): VersionParts | undefined {
  const numbers = { major: Number(major ?? 0), minor: Number(minor ?? 0), patch: Number(patch ?? 0) }
  const all = Object.values(numbers)
  if (all.some((number) => number > 9999) || all.every((number) => number === 0)) return undefined
  return { ...numbers, ...(extra ? { extra } : {}), ...(meta ? { meta } : {}) }
}
