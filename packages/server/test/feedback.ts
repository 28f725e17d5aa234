import { randomUUID } from 'node:crypto'
import { inTransaction } from '../src/database/transaction.ts'
import { images } from '../src/inspection/images/image.fixture.ts'
import { shortId, uuidV7 } from '../src/lib/ids.ts'
import { insertStoredObject } from '../src/storage/objects/stored-objects.db.ts'
import type { Service, Tenant } from './harness.ts'
import { userAgents } from './page-browser.ts'

export type SentForm = {
  fields?: Record<string, string>
  files?: Uint8Array[]
  headers?: Record<string, string>
}

/** Sends the feedback form of a page, as browsers do. */
export async function sendForm(url: string, { fields = {}, files = [], headers = {} }: SentForm) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [index, bytes] of files.entries())
    form.append('screenshots', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), `${index}.png`)
  const response = await fetch(`${url}/feedback`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      'user-agent': userAgents.android,
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  })
  const text = await response.text()
  return { status: response.status, location: response.headers.get('location'), text }
}

/** Inserts feedback with one screenshot, without the form. */
export async function insertFeedbackOf(
  { deps: { db, storage } }: Service,
  { workspaceId, applicationId }: Pick<Tenant, 'workspaceId' | 'applicationId'>,
  buildId: string,
) {
  const id = shortId(10)
  const screenshotId = uuidV7()
  const bytes = Buffer.from(images.jpeg.base64, 'base64')
  const object = await storage.store(randomUUID(), bytes)
  await inTransaction(db, async (tx) => {
    await insertStoredObject(tx, object)
    await tx
      .insertInto('feedback')
      .values({
        id,
        workspace_id: workspaceId,
        application_id: applicationId,
        build_id: buildId,
        text: 'It closes when I save.',
        rating: 2,
        email: 'robin@example.com',
        channel: 'portal',
      })
      .execute()
    await tx
      .insertInto('feedback_screenshots')
      .values({
        id: screenshotId,
        feedback_id: id,
        application_id: applicationId,
        position: 1,
        content_type: 'image/jpeg',
        width: 40,
        height: 24,
        size_bytes: bytes.length,
        object_key: object.key,
      })
      .execute()
  })
  return { feedback_id: id, screenshot_id: screenshotId }
}
