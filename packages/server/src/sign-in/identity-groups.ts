import { AsyncLocalStorage } from 'node:async_hooks'
import type { Claims } from './issuer-client.ts'

/** The groups of a person at the identity provider, or undefined if they are unknown. */
export type ReportedGroups = readonly string[] | undefined

/** What the identity provider reported in the current request. better-auth does not pass it from the provider to its hooks. */
export type SignIns = AsyncLocalStorage<{ groups: ReportedGroups }>

export const createSignIns = (): SignIns => new AsyncLocalStorage()

/** More than Kerberos allows, so that a longer list is a mistake of the provider. */
const maxGroups = 2_000
const maxLength = 255

/**
 * Returns the groups in the claim. A missing claim means that there are none, because most providers leave out an empty
 * list. Returns undefined if the claim is unusable, so that a mistake of the provider does not remove anyone from teams.
 * Leaves out entries that cannot be names of groups.
 */
export function groupsIn(
  claims: Claims,
  claimName: string,
  log: { warn(details: object, message: string): void },
): ReportedGroups {
  const value = claims[claimName]
  const reason = unusable(claims, claimName, value)
  if (reason !== undefined) {
    const details = { claim: claimName, subject: claims.sub, reason }
    log.warn(details, 'the groups of the identity provider are unusable, so that memberships of teams stay')
    return undefined
  }
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  return [...new Set(entries.filter(isGroup).map((name) => name.trim()))].filter((name) => name !== '')
}

function unusable(claims: Claims, claimName: string, value: unknown): string | undefined {
  // Microsoft Entra ID refers to another service instead of listing more than 200 groups.
  const elsewhere = claims['_claim_names']
  if (value === undefined)
    return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claimName)
      ? 'the provider has too many groups to list'
      : undefined
  if (!Array.isArray(value)) return 'the claim is not a list'
  return value.length > maxGroups ? `the claim lists more than ${maxGroups} groups` : undefined
}

const isGroup = (entry: unknown): entry is string =>
  typeof entry === 'string' && entry.length <= maxLength && entry.isWellFormed() && !/\p{Cc}/u.test(entry)
