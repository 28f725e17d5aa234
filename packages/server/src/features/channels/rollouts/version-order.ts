import { parseVersion, versionSortKey } from '../../../lib/semver.ts'

/** Returns whether a version, as its sort key, is newer than the version of a client. */
export function isSemverAbove(sortKey: string, current: string): boolean {
  const key = sortKeyOf(current)
  return key !== undefined && sortKey > key
}

/** Returns the sort key of a version that a client sends. Missing components count as 0, and a fourth one is ignored. */
export function sortKeyOf(text: string): string | undefined {
  const [match, core = '', rest = ''] = /^v?(\d{1,4}(?:\.\d{1,4}){0,3})([-+].*)?$/.exec(text) ?? []
  if (match === undefined) return undefined
  const parts = [...core.split('.'), '0', '0'].slice(0, 3)
  const version = parseVersion(`${parts.join('.')}${rest}`)
  return version && versionSortKey(version)
}

/** Compares dotted numbers such as `14.2`, in which missing numbers count as 0. */
export function isBelowDotted(version: string, minimum: string): boolean {
  const [left, right] = [version, minimum].map((text) => text.split('.').map(Number))
  for (let index = 0; index < Math.max(left?.length ?? 0, right?.length ?? 0); index++) {
    const [a, b] = [left?.[index] ?? 0, right?.[index] ?? 0]
    if (a !== b) return a < b
  }
  return false
}
