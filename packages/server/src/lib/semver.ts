/**
 * Matches non-empty, dot-separated identifiers (SemVer 2.0.0, clause 10). Unlike in clause 9, numeric identifiers in
 * pre-releases may have leading zeros, because teams use dates and counters such as `rc.01`.
 */
export const identifiersPattern = '^[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*$'

export type Version = {
  major: number
  minor: number
  patch: number
  extra: string | null
  meta: string | null
}

const versionPattern = /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

/** Parses a version such as `1.4.0-beta.2+7` or `v1.4.0`. Returns undefined for any other text. */
export function parseVersion(text: string): Version | undefined {
  const [match, major, minor, patch, extra = null, meta = null] = versionPattern.exec(text) ?? []
  if (match === undefined) return undefined
  return { major: Number(major), minor: Number(minor), patch: Number(patch), extra, meta }
}

export function formatVersion(version: Version): string {
  const extra = version.extra === null ? '' : `-${version.extra}`
  const meta = version.meta === null ? '' : `+${version.meta}`
  return `${formatVersionShort(version)}${extra}${meta}`
}

/** Returns whether a title, such as `Version 1.4.0`, says only what the version says. */
export const isVersionTitle = ({ title, version }: { title: string; version: string }): boolean =>
  title.replace(/^(version|v|release)?\s*/i, '') === version

export function formatVersionShort({ major, minor, patch }: Version): string {
  return `${major}.${minor}.${patch}`
}

/** Returns a string whose byte order (COLLATE "C") matches SemVer precedence (clause 11). */
export function versionSortKey(version: Version): string {
  const core = [version.major, version.minor, version.patch].map((n) => String(n).padStart(4, '0')).join('')
  // `~` sorts above the `-` of every pre-release.
  if (version.extra === null) return `${core}~`
  // The original text comes last, so that pre-releases that differ only in leading zeros have a defined order. The space
  // before it sorts below every identifier.
  return `${core}-${version.extra.split('.').map(identifierSortKey).join('')} ${version.extra}`
}

/**
 * Encodes a numeric identifier as `0`, its digit count and its digits, and any other identifier as `1` and its text. The
 * final `!` sorts below every character of an identifier, so that a pre-release with fewer identifiers sorts lower.
 */
function identifierSortKey(identifier: string): string {
  if (!/^[0-9]+$/.test(identifier)) return `1${identifier}!`
  const digits = identifier.replace(/^0+(?=[0-9])/, '')
  return `0${String(digits.length).padStart(2, '0')}${digits}!`
}
