import type { File, FullBuild } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { checksumOf, checksumWithProgress } from '../../transfer/file-checksum.ts'
import type { LocalFile } from '../../transfer/local-file.ts'
import type { LocalFiles, UploadBody } from '../../transfer/upload-context.ts'

/** Returns the most recent build of the same stream and platform if it consists of exactly these files. */
export async function findUnchangedBuild(
  context: CommandContext,
  application_id: string,
  { stream, platform }: Pick<UploadBody, 'stream' | 'platform'>,
  files: LocalFiles,
): Promise<FullBuild | undefined> {
  const client = context.client()
  const call = { signal: context.signal }
  const { data } = await client.listBuilds(
    {
      application_id,
      streams: stream.replaceAll(',', String.raw`\,`),
      platforms: platform,
      sort_by: 'created_at',
      sort: 'desc',
      per_page: 1,
    },
    call,
  )
  const totalBytes = files.reduce((total, { file }) => total + file.sizeBytes, 0)
  const newest = data[0]
  // Sizes are compared first, because hashing a large file takes a long time.
  if (newest?.size_total_bytes !== totalBytes) return undefined
  const { data: build } = await client.getBuild({ application_id, build_id: newest.id }, call)
  const stored = [build.primary_file, ...build.expansion_files]
  if (stored.length !== files.length) return undefined
  for (const [index, { file }] of files.entries()) {
    if (!(await isSameFile(context, file, stored[index]))) return undefined
  }
  return build
}

async function isSameFile(
  context: CommandContext,
  file: LocalFile,
  stored: File | undefined,
): Promise<boolean> {
  const checksum = stored && checksumOf(stored)
  if (checksum === undefined) return false
  return (await checksumWithProgress(context, file, checksum.algorithm)) === checksum.hex
}
