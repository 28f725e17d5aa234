/**
 * Matches non-empty, dot-separated identifiers (SemVer 2.0.0 clause 10). Unlike clause 9, pre-releases may also have
 * numeric identifiers with leading zeros, because teams use dates and counters such as `rc.01`.
 */
export const identifiersPattern = '^[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*$'

export type Version = {
  major: number
  minor: number
  patch: number
  extra: string | null
  meta: string | null
}

export function formatVersion(version: Version): string {
  const extra = version.extra === null ? '' : `-${version.extra}`
  const meta = version.meta === null ? '' : `+${version.meta}`
  return `${formatVersionShort(version)}${extra}${meta}`
}

export function formatVersionShort({ major, minor, patch }: Version): string {
  return `${major}.${minor}.${patch}`
}

/**
 * Returns a text that sorts by SemVer precedence (clause 11) in byte order (COLLATE "C"). Core numbers have four
 * digits; a release ends in `~`, above the `-` of every pre-release. An identifier is `0` + digit count + digits, or
 * `1` + text, and ends in `!`, which sorts below every character of an identifier, so that fewer identifiers sort
 * lower. The text itself follows after a space, which sorts below both, to order pre-releases that differ only in
 * leading zeros.
 */
export function versionSortKey(version: Version): string {
  const core = [version.major, version.minor, version.patch].map((n) => String(n).padStart(4, '0')).join('')
  if (version.extra === null) return `${core}~`
  return `${core}-${version.extra.split('.').map(identifierSortKey).join('')} ${version.extra}`
}

function identifierSortKey(identifier: string): string {
  if (!/^[0-9]+$/.test(identifier)) return `1${identifier}!`
  const digits = identifier.replace(/^0+(?=[0-9])/, '')
  return `0${String(digits.length).padStart(2, '0')}${digits}!`
}
