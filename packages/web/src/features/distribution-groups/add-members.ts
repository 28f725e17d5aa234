import { QuaysideError } from '@quayside/sdk'
import { api } from '../../api/client.ts'
import { memberBatches } from './member-batches.ts'

export type MemberResult = { email: string; result: 'added' | 'existing' | 'refused'; reason?: string }

/**
 * Adds addresses to a group and returns the result of each. An address that the server refuses does not prevent the
 * others from being added.
 */
export async function addMembers(groupId: string, emails: readonly string[]): Promise<MemberResult[]> {
  const results: MemberResult[] = []
  for (const { body } of memberBatches(groupId, emails))
    results.push(...(await addBatch(groupId, body.emails)))
  return results
}

async function addBatch(groupId: string, emails: readonly string[]): Promise<MemberResult[]> {
  if (emails.length === 0) return []
  try {
    const { data, added_count: count } = await api.createDistributionGroupMembers({
      distribution_group_id: groupId,
      body: { emails: [...emails] },
    })
    // Members who are added together have the same time, which is the latest.
    const added = new Set(
      data
        .toSorted((a, b) => b.added_at.localeCompare(a.added_at))
        .slice(0, count)
        .map(({ email }) => email),
    )
    return emails.map((email) => ({ email, result: added.has(email.toLowerCase()) ? 'added' : 'existing' }))
  } catch (error) {
    const refused = refusedPositions(error)
    if (refused.size === 0) throw error
    const others = await addBatch(
      groupId,
      emails.filter((_, position) => !refused.has(position)),
    )
    const results = others.values()
    return emails.map((email, position) => {
      const reason = refused.get(position)
      return reason === undefined
        ? (results.next().value ?? { email, result: 'existing' })
        : { email, result: 'refused', reason }
    })
  }
}

/** Returns the reasons of a validation error by position in `emails`. */
function refusedPositions(error: unknown): Map<number, string> {
  const refused = new Map<number, string>()
  if (!(error instanceof QuaysideError)) return refused
  for (const [path, messages] of Object.entries(error.errors)) {
    const [, position] = /^emails\.(\d+)$/.exec(path) ?? []
    if (position !== undefined) refused.set(Number(position), messages.join(' '))
  }
  return refused
}
