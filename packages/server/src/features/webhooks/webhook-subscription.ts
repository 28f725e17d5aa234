import type { Conflicts } from '../../database/conflicts.ts'
import type { Executor } from '../../database/transaction.ts'
import { invalid } from '../../http/validation.ts'
import { isWebUrl } from '../../lib/web-url.ts'
import { findLabelIds, requireLabel } from '../labels/label.db.ts'
import { findStreamId } from '../streams/stream.db.ts'

type Subscription = { stream?: string | null; label?: string | null }
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
  const stream_id = await findStreamId(db, owner.applicationId, given)
  if (stream_id === undefined) throw unknownStream(given)
  return { stream_id }
}

export async function requireLabelWish(db: Executor, owner: Owner, given: string | null) {
  if (given === null) return { label_id: null }
  const { unknown } = await findLabelIds(db, owner, [given])
  if (unknown.length > 0) throw unknownLabel(given)
  const label = await requireLabel(db, owner, given)
  return { label_id: label.id }
}

const unknownStream = (given: string) =>
  invalid({ stream: [`"${given}" is not a stream of this application.`] })
const unknownLabel = (given: string) => invalid({ label: [`"${given}" is not a label of this application.`] })

/** What is deleted while the webhook is written is as unknown as what was deleted before. */
export const goneMeanwhile = ({ stream, label }: Subscription): Conflicts => ({
  webhooks_stream_id_application_id_fkey: () => unknownStream(stream ?? ''),
  webhooks_label_id_workspace_id_fkey: () => unknownLabel(label ?? ''),
})

/** Which events can be narrowed, and which must be. */
export function requireFitting(event: string, streamId: string | null): void {
  if (event.endsWith('.stream') && streamId === null) throw invalid({ stream: [`is required for ${event}.`] })
  if (event.startsWith('release.') && streamId !== null)
    throw invalid({ stream: [`does not go with ${event}: releases lie in no stream.`] })
}
