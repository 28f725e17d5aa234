import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { screenshotType } from '../../inspection/images/screenshot.ts'
import { notFound } from '../../lib/problem.ts'
import { damageProblems } from '../../storage/damaged-file.ts'
import { findStoredObject } from '../../storage/objects/stored-objects.db.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { requireFeedbackOfPath, requireScreenshot } from './feedback.db.ts'
import { feedbackParams } from './feedback.ts'

export const getFeedbackScreenshot = endpoint({
  method: 'GET',
  path: '/applications/:application_id/feedback/:feedback_id/screenshots/:screenshot_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a feedback screenshot',
  description:
    'Returns an image that a visitor sent. It was decoded and encoded again when it arrived, so it contains no metadata.',
  params: Type.Object({
    ...feedbackParams.properties,
    screenshot_id: PathId('ID of the screenshot.'),
  }),
  serves: [screenshotType],
  refuses: [...damageProblems, ...storageProblems],
  returns: FileResponse,
  async load(call) {
    const { feedback } = await requireFeedbackOfPath(call)
    const screenshot = await requireScreenshot(call.db, feedback.id, call.params.screenshot_id)
    const object = await findStoredObject(call.db, screenshot.object_key)
    if (object === undefined) throw notFound()
    return { object, contentType: screenshot.content_type }
  },
  async handle({ storage, object, contentType }) {
    const chunks: Uint8Array[] = []
    for await (const chunk of storage.read(object)) chunks.push(chunk)
    return { contentType, bytes: Buffer.concat(chunks), isPrivate: true }
  },
})
