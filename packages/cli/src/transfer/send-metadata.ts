import type { FullBuild } from '@quayside/sdk'
import type { LocalFile } from './local-file.ts'
import { rangeMd5 } from './range-md5.ts'
import { sendRange } from './send-range.ts'
import type { UploadContext } from './upload-context.ts'

/** Uploads files as metadata artifacts. Skips a file if the build has one with the same name and MD5. */
export async function sendMetadata(
  context: UploadContext,
  build: FullBuild,
  files: LocalFile[],
): Promise<{ filename: string; metadata_artifact_id: string }[]> {
  const added: { filename: string; metadata_artifact_id: string }[] = []
  for (const file of files) {
    const md5 = await rangeMd5(
      file,
      { start: 0, sizeBytes: file.sizeBytes, signal: context.signal },
      context.agents,
    )
    const existing = build.metadata_artifacts.find(
      (artifact) => artifact.filename === file.filename && artifact.checksum_md5 === md5,
    )
    const id = existing?.id ?? (await sendOne(context, build.id, file))
    added.push({ filename: file.filename, metadata_artifact_id: id })
  }
  return added
}

async function sendOne(context: UploadContext, buildId: string, file: LocalFile): Promise<string> {
  const { client, signal, output } = context
  let pendingUploadId = ''
  await sendRange({
    file,
    start: 0,
    sizeBytes: file.sizeBytes,
    server: context.server,
    agents: context.agents,
    signal,
    onBytes: () => {},
    onRetry: (reason) => output.note(`${file.filename}: ${reason}. Retrying.`),
    target: async () => {
      const response = await client.requestMetadataUpload(
        { body: { build_id: buildId, filename: file.filename, size_bytes: file.sizeBytes } },
        { signal, idempotent: true },
      )
      pendingUploadId = response.metadata_pending_upload_id
      return response.presigned_upload_data
    },
  })
  const body = { pending_upload_id: pendingUploadId }
  return (await client.verifyMetadataUpload({ body }, { signal, idempotent: true })).metadata_artifact_id
}
