import type { QuaysideClient } from '@quayside/sdk'

/** Deletes the bytes of an upload. A failure is ignored, because the server deletes abandoned uploads by itself. */
export async function abortUpload(client: QuaysideClient, id: string): Promise<void> {
  await client.abortUpload({ body: { pending_upload_id: id } }, { idempotent: true }).catch(() => undefined)
}
