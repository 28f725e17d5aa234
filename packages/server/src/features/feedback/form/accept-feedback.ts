import { randomUUID } from 'node:crypto'
import { conflictsAs } from '../../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import type { PageCall, PageResponse } from '../../../http/pages/page.ts'
import { screenshotType, type Screenshot } from '../../../inspection/images/screenshot.ts'
import { InspectionError } from '../../../inspection/inspection.ts'
import { shortId, uuidV7 } from '../../../lib/ids.ts'
import { notFound, problem } from '../../../lib/problem.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { insertStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import { requireFullBuild } from '../../builds/build.db.ts'
import { notifySubscribers } from '../feedback-notice.ts'
import { insertFeedback, insertScreenshot, requireFeedback } from '../feedback.db.ts'
import { feedbackAuditSnapshot, feedbackOfEvent } from '../feedback.ts'
import { feedbackDocument, feedbackPathOf, type FeedbackPage } from './feedback-form.ts'
import { chargeFeedback } from './feedback-limits.ts'
import { readFeedback, type FieldErrors, type SentFeedback } from './read-feedback.ts'
import { describeDevice } from './visitor-device.ts'

/** The page from which feedback came. */
type FeedbackSource = {
  channel: 'share-link' | 'distribution-group' | 'portal'
  share_link_id?: string
  distribution_group_id?: string
  portal_id?: string
}

export type FeedbackTarget = FeedbackPage & {
  /** Identifies the link or portal in rate limits. */
  linkId: string
  /** Throws in the transaction that saves the feedback unless the link or portal still accepts it. */
  requireSource: (tx: Tx) => Promise<FeedbackSource>
}

/**
 * Accepts the form of `feedbackDocument`. Returns the form with the errors if something is wrong, and otherwise a
 * redirect to its path with `sent`, which must show `thanksDocument`.
 */
export async function acceptFeedback(call: PageCall, target: FeedbackTarget): Promise<PageResponse> {
  requireSameSite(call)
  const reject = async (errors: FieldErrors): Promise<PageResponse> => ({
    ...(await feedbackDocument(call, target, { fields: call.fields, errors })),
    status: 422,
  })
  const read = readFeedback(call, target.builds, target.email)
  if ('errors' in read) return reject(read.errors)
  const { sent } = read
  chargeFeedback(call, { linkId: target.linkId, buildId: sent.build.id })
  const screenshots = await encodeScreenshots(call, sent.images)
  if (screenshots === undefined) return reject({ screenshots: call.text.feedback.errors.notAnImage })
  const stored = await storeScreenshots(call, screenshots)
  await conflictsAs(conflicts, () =>
    inTransaction(call.db, (tx) => saveFeedback(tx, call, { target, sent, stored })),
  )
  return { location: `${feedbackPathOf(target)}?sent` }
}

// These constraints are violated if a row was deleted after it was loaded.
const conflicts = {
  feedback_build_id_application_id_fkey: notFound,
  feedback_share_link_id_fkey: notFound,
  feedback_distribution_group_id_fkey: notFound,
  feedback_portal_id_fkey: notFound,
}

/** Other sites must not make the browser of a visitor send feedback. Pages without a referrer have no usable origin. */
function requireSameSite({ fetchSite: site }: PageCall): void {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw fromOtherSite()
}

const fromOtherSite = problem(
  'forbidden',
  'feedback.cross_site',
  'This form was sent by another site. Open the link and send the form there.',
)

/** Returns undefined if an image cannot be decoded. */
async function encodeScreenshots(
  { imageEncoder, log }: PageCall,
  images: readonly Buffer[],
): Promise<Screenshot[] | undefined> {
  try {
    const encoded = await imageEncoder.reencodeScreenshots(images, AbortSignal.timeout(120_000))
    const complete = encoded.filter((image) => image !== undefined)
    return complete.length === images.length ? complete : undefined
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error
    log.info({ err: error }, 'screenshots of feedback could not be encoded')
    return undefined
  }
}

type Stored = { object: SealedObject; screenshot: Screenshot }

/** Stores the images. Unless `saveFeedback` records them, they are later deleted as orphaned objects. */
async function storeScreenshots(
  { storage }: PageCall,
  screenshots: readonly Screenshot[],
): Promise<Stored[]> {
  const stored: Stored[] = []
  for (const screenshot of screenshots)
    stored.push({ object: await storage.store(randomUUID(), screenshot.bytes), screenshot })
  return stored
}

type Saved = { target: FeedbackTarget; sent: SentFeedback; stored: readonly Stored[] }

async function saveFeedback(tx: Tx, call: PageCall, { target, sent, stored }: Saved): Promise<void> {
  const { build, text, rating, name, email } = sent
  const { id: build_id, application_id, workspace_id, shown_stream_id: stream_id } = build
  const id = shortId(10)
  const source = await target.requireSource(tx)
  const { userAgent: user_agent, config } = call
  const device = describeDevice(user_agent, call.hints)
  await insertFeedback(tx, {
    id,
    workspace_id,
    application_id,
    build_id,
    stream_id,
    text,
    rating,
    name,
    email,
    user_agent,
    ...device,
    ...source,
  })
  for (const [index, { object, screenshot }] of stored.entries()) {
    await insertStoredObject(tx, object)
    await insertScreenshot(tx, {
      id: uuidV7(),
      feedback_id: id,
      application_id,
      position: index + 1,
      content_type: screenshotType,
      width: screenshot.width,
      height: screenshot.height,
      size_bytes: object.sizeBytes,
      object_key: object.key,
    })
  }
  const row = await requireFeedback(tx, application_id, id)
  const actor = { via: 'system', id: null, name: 'Feedback form', workspaceId: workspace_id } as const
  await recordEvent(
    tx,
    { actor, address: call.address },
    {
      action: 'feedback.created',
      applicationId: application_id,
      subject: { type: 'feedback', id },
      after: feedbackAuditSnapshot(row),
      events: [
        {
          name: 'feedback.created',
          data: {
            feedback: feedbackOfEvent(row, config),
            build: await requireFullBuild(tx, application_id, build_id, config),
          },
        },
      ],
    },
  )
  // Anyone with a public link can send the form under any name, so mentions in it would be a way to send spam to members.
  if (target.email !== undefined)
    await call.dependents.notifyMentioned(
      tx,
      { actor: { ...actor, name: name ?? 'A tester' }, address: call.address },
      { applicationId: application_id, workspaceId: workspace_id, buildId: build_id, feedbackId: id, text },
    )
  await notifySubscribers(tx, call, row)
}
