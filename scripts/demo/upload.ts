import type { FullBuild, QuaysideClient, RequestUploadParams } from '@quayside/sdk'

type File = { filename: string; content: Buffer }
type Fields = Omit<RequestUploadParams['body'], 'primary_file'>
export type ArtifactFile = { filename: string; description: string; content: string }

/** Uploads a build as a CI client does and returns it. */
export async function uploadBuild(client: QuaysideClient, fields: Fields, file: File): Promise<FullBuild> {
  const { filename, content } = file
  const body = { ...fields, primary_file: { filename, size_bytes: content.length } }
  const { pending_upload_id, primary_file } = await client.requestUpload({ body })
  if (primary_file.presigned_data === null) throw new Error(`The upload of ${filename} requires parts.`)
  await put(primary_file.presigned_data, content)
  return (await client.verifyUpload({ body: { pending_upload_id } })).build
}

/** Uploads a metadata artifact of a build and returns its ID. */
export async function uploadArtifact(
  client: QuaysideClient,
  buildId: string,
  { filename, description, content }: ArtifactFile,
): Promise<string> {
  const bytes = Buffer.from(content)
  const { metadata_pending_upload_id, presigned_upload_data } = await client.requestMetadataUpload({
    body: { build_id: buildId, filename, size_bytes: bytes.length },
  })
  await put(presigned_upload_data, bytes)
  const { metadata_artifact_id } = await client.verifyMetadataUpload({
    body: { pending_upload_id: metadata_pending_upload_id, file_description: description },
  })
  return metadata_artifact_id
}

async function put(signed: { url: string; headers: Record<string, string> }, content: Buffer): Promise<void> {
  // fetch sets this header itself.
  const headers = Object.fromEntries(
    Object.entries(signed.headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
  )
  const response = await fetch(signed.url, { method: 'PUT', headers, body: Uint8Array.from(content) })
  if (!response.ok) throw new Error(`PUT failed with ${response.status}: ${await response.text()}`)
  await response.body?.cancel()
}
