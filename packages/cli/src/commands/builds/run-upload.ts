import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { openLocalFile } from '../../transfer/local-file.ts'
import type { LocalFile } from '../../transfer/local-file.ts'
import { sendMetadata } from '../../transfer/send-metadata.ts'
import { uploadBuild } from '../../transfer/upload-build.ts'
import type { LocalFiles, UploadContext } from '../../transfer/upload-context.ts'
import { removeState, stateFolder, statePath } from '../../transfer/upload-state.ts'
import { buildUploadRequest } from './build-upload-request.ts'
import type { BuildOptions } from './build-upload-request.ts'
import { formatBuild } from './format-build.ts'

export type UploadOptions = BuildOptions & {
  notes?: string
  notesFile?: string
  expansion?: string
  metadata?: string[]
  parallel: number
}

const maxMetadataFiles = 25
const maxMetadataBytes = 20 * 1024 * 1024

/** Runs `quayside upload`. */
export async function runUpload(
  context: CommandContext,
  path: string,
  options: UploadOptions,
): Promise<void> {
  const files: LocalFile[] = []
  try {
    await uploadFiles(context, path, options, async (filePath) => {
      const file = await openLocalFile(filePath, context.runtime.cwd)
      files.push(file)
      return file
    })
  } finally {
    await Promise.all(files.map((file) => file.handle.close()))
  }
}

async function uploadFiles(
  context: CommandContext,
  path: string,
  options: UploadOptions,
  open: (path: string) => Promise<LocalFile>,
): Promise<void> {
  const { cwd, env } = context.runtime
  const primary = await open(path)
  const expansion = options.expansion === undefined ? undefined : await open(options.expansion)
  const metadata = await openMetadataFiles(options.metadata ?? [], open)
  const notes = await readNotes(options, cwd)
  const applicationId = await requireApplicationId(context)
  const body = await buildUploadRequest(context, applicationId, { primary, expansion }, options, notes)
  const state = statePath(stateFolder(env), context.settings.server, applicationId, primary.path)
  const uploadContext: UploadContext = {
    client: context.client(),
    output: context.output,
    agents: context.agents,
    signal: context.signal,
    parallel: options.parallel,
    statePath: state,
  }
  const files: LocalFiles = [
    { role: 'primary', file: primary },
    ...(expansion ? [{ role: 'expansion' as const, file: expansion }] : []),
  ]
  const { build, pendingProcessing, sentBytes, reusedBytes } = await uploadBuild(
    uploadContext,
    applicationId,
    body,
    files,
  )
  const artifacts = await sendMetadata(uploadContext, build, metadata)
  await removeState(state)
  const result = {
    build_id: build.id,
    version: build.version,
    build_info_url: build.modal_url,
    download_url: build.download_url,
    pending_processing: pendingProcessing,
    checksum_sha256: build.primary_file.checksum_sha256,
    checksum_md5: build.primary_file.checksum_md5,
    sent_bytes: sentBytes,
    reused_bytes: reusedBytes,
    metadata_artifacts: artifacts,
    build,
  }
  context.output.result(result, () => formatBuild(build))
  if (pendingProcessing) context.output.note('The server is still processing this build.')
}

async function openMetadataFiles(
  paths: string[],
  open: (path: string) => Promise<LocalFile>,
): Promise<LocalFile[]> {
  if (paths.length > maxMetadataFiles) {
    throw new Failure(
      'usage',
      `A build can have at most ${maxMetadataFiles} metadata files. Combine some of them into an archive.`,
    )
  }
  const files: LocalFile[] = []
  for (const path of paths) {
    const file = await open(path)
    if (file.sizeBytes > maxMetadataBytes)
      throw new Failure(
        'failed',
        `${path} exceeds the limit of 20 MB for metadata files. Attach a smaller file.`,
      )
    files.push(file)
  }
  return files
}

async function readNotes({ notes, notesFile }: UploadOptions, cwd: string): Promise<string | undefined> {
  if (notesFile === undefined) return notes
  if (notes !== undefined) throw new Failure('usage', 'Use either --notes or --notes-file, not both.')
  return readFile(resolve(cwd, notesFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(
      'failed',
      `Cannot read ${notesFile} (${error.code}). Check the path and its permissions.`,
      { cause: error },
    )
  })
}
