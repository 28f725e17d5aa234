import type { Executor } from '../../database/transaction.ts'
import { invalid } from '../../http/validation.ts'
import { isWebUrl } from '../../lib/web-url.ts'
import { findLabelIds, requireLabel } from '../labels/label.db.ts'
import { findStreamIds } from '../streams/stream.db.ts'

type Owner = { applicationId: string; workspaceId: string }

/** The URL as it is called; throws `invalid` for what is no http or https URL or carries a password in the open. */
export function requireWebhookUrl(given: string): string {
  const text = given.trim()
  if (!isWebUrl(text)) throw invalid({ url: ['must be an http or https URL.'] })
  const { username, password } = new URL(text)
  if (username !== '' || password !== '')
    throw invalid({
      url: ['must not hold a user name or password: everybody who may read webhooks sees it.'],
    })
  return text
}

/** Ids of the stream given by id or name; null stays null. */
export async function requireStreamWish(db: Executor, owner: Owner, given: string | null) {
  if (given === null) return { stream_id: null }
  const { ids } = await findStreamIds(db, owner.applicationId, [given])
  const stream_id = ids.includes(given) ? given : ids[0]
  if (stream_id === undefined) throw invalid({ stream: [`"${given}" is not a stream of this application.`] })
  return { stream_id }
}

export async function requireLabelWish(db: Executor, owner: Owner, given: string | null) {
  if (given === null) return { label_id: null }
  const { unknown } = await findLabelIds(db, owner, [given])
  if (unknown.length > 0) throw invalid({ label: [`"${given}" is not a label of this application.`] })
  const label = await requireLabel(db, owner, given)
  return { label_id: label.id }
}

/** Which events can be narrowed, and which must be. */
export function requireFitting(event: string, streamId: string | null): void {
  if (event.endsWith('.stream') && streamId === null) throw invalid({ stream: [`is required for ${event}.`] })
  if (event.startsWith('release.') && streamId !== null)
    throw invalid({ stream: [`does not go with ${event}: releases lie in no stream.`] })
}
