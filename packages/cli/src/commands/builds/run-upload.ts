import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openArchive } from '../../archive/open-archive.ts'
import { writeStepOutputs } from '../../ci/step-outputs.ts'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { readNotes } from '../../notes.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { openLocalFile } from '../../transfer/local-file.ts'
import type { LocalFile } from '../../transfer/local-file.ts'
import { retryWhileUnreachable } from '../../transfer/retry-for.ts'
import { sendMetadata } from '../../transfer/send-metadata.ts'
import { uploadBuild } from '../../transfer/upload-build.ts'
import type { UploadedBuild } from '../../transfer/upload-build.ts'
import type { LocalFiles, UploadBody, UploadContext } from '../../transfer/upload-context.ts'
import { removeState, stateFolder, statePath } from '../../transfer/upload-state.ts'
import { buildUploadRequest } from './build-upload-request.ts'
import { printUploadRequest } from './check-upload-request.ts'
import { findUnchangedBuild } from './find-unchanged.ts'
import { formatBuild } from './format-build.ts'
import type { UploadOptions } from './upload-options.ts'
import { addToUploadTarget, selectUploadTarget } from './upload-target.ts'
import { isProcessing, requireProcessed, waitForProcessing } from './wait-for-processing.ts'

const maxMetadataFiles = 25
const maxMetadataBytes = 2 * 1024 ** 3

/** Uploads a build. With `--retry-for`, tries again while the server is unreachable. */
export async function runUpload(
  context: CommandContext,
  path: string,
  options: UploadOptions,
): Promise<void> {
  const { output, signal } = context
  // The notes are read before the first attempt, because standard input can be read only once.
  const notes = await readNotes(context, options)
  const optionsWithNotes = notes === undefined ? options : { ...options, notes }
  await retryWhileUnreachable({ seconds: options.retryFor ?? 0, output, signal }, async () => {
    const files: LocalFile[] = []
    try {
      const primary = await openPrimaryFile(context, path, options)
      files.push(primary)
      await uploadFiles(context, primary, optionsWithNotes, async (filePath) => {
        const file = await openLocalFile(filePath, context.runtime.cwd)
        files.push(file)
        return file
      })
    } finally {
      await Promise.all(files.map((file) => file.handle.close()))
    }
  })
}

/** Opens the file to upload, or a folder as an archive. */
async function openPrimaryFile(
  context: CommandContext,
  path: string,
  { keepTimes }: UploadOptions,
): Promise<LocalFile> {
  const { cwd } = context.runtime
  const isFolder = await stat(resolve(cwd, path)).then(
    (entry) => entry.isDirectory(),
    () => false,
  )
  if (isFolder) return openArchive(context, path, { keepTimes: keepTimes === true })
  if (keepTimes === true)
    throw new Failure('usage', `--keep-times applies only to folders, and ${path} is not a folder.`)
  return openLocalFile(path, cwd)
}

async function uploadFiles(
  context: CommandContext,
  primary: LocalFile,
  options: UploadOptions,
  open: (path: string) => Promise<LocalFile>,
): Promise<void> {
  const { env } = context.runtime
  const expansion = options.expansion === undefined ? undefined : await open(options.expansion)
  const metadata = await openMetadataFiles(options.metadata ?? [], open)
  const applicationId = await requireApplicationId(context)
  const body = await buildUploadRequest(
    context,
    applicationId,
    { primary, expansion },
    options,
    options.notes,
  )
  const target = await selectUploadTarget(context, applicationId, options)
  if (options.dryRun === true) {
    await printUploadRequest(context, applicationId, body, options, target)
    return
  }
  const state = statePath(stateFolder(env), context.settings.server, applicationId, primary.path)
  const uploadContext = createUploadContext(context, options, state)
  const files: LocalFiles = [
    { role: 'primary', file: primary },
    ...(expansion ? [{ role: 'expansion' as const, file: expansion }] : []),
  ]
  const uploaded = await uploadUnlessUnchanged(context, uploadContext, body, files, options)
  const artifacts = await sendMetadata(uploadContext, uploaded.build, metadata)
  const added = await addToUploadTarget(context, applicationId, uploaded.build, target, options)
  await removeState(state)
  const { build, pendingProcessing } =
    options.wait === true ? await waitForProcessing(context, uploaded, options.waitTimeout) : uploaded
  const result = {
    build_id: build.id,
    version: build.version,
    build_info_url: build.modal_url,
    download_url: build.download_url,
    pending_processing: pendingProcessing,
    processing: build.processing,
    checksum_sha256: build.primary_file.checksum_sha256,
    checksum_md5: build.primary_file.checksum_md5,
    unchanged: uploaded.isUnchanged,
    sent_bytes: uploaded.sentBytes,
    reused_bytes: uploaded.reusedBytes,
    metadata_artifacts: artifacts,
    ...added,
    build,
  }
  context.output.result(result, () => formatBuild(build))
  const outputs = {
    buildId: build.id,
    buildUrl: build.modal_url,
    downloadUrl: build.download_url,
    version: build.version,
  }
  await writeStepOutputs(outputs, {
    env,
    cwd: context.runtime.cwd,
    envFile: options.writeEnv,
    log: (line) => context.runtime.stderr.write(`${line}\n`),
  })
  if (options.wait === true) requireProcessed(build)
  else if (isProcessing(build)) context.output.note('The server is still reading the package of this build.')
}

const createUploadContext = (
  context: CommandContext,
  { parallel, reuse }: UploadOptions,
  state: string,
): UploadContext => ({
  client: context.client(),
  server: context.settings.server,
  output: context.output,
  agents: context.agents,
  signal: context.signal,
  parallel,
  statePath: state,
  reuse,
})

async function uploadUnlessUnchanged(
  context: CommandContext,
  uploadContext: UploadContext,
  body: UploadBody,
  files: LocalFiles,
  options: UploadOptions,
): Promise<UploadedBuild & { isUnchanged: boolean }> {
  const applicationId = body.application_id ?? ''
  const build =
    options.ifChanged === true ? await findUnchangedBuild(context, applicationId, body, files) : undefined
  if (!build) return { ...(await uploadBuild(uploadContext, applicationId, body, files)), isUnchanged: false }
  context.output.note(`Unchanged since build ${build.id}. Nothing was uploaded.`)
  const { pending_processing: pendingProcessing, size_total_bytes: reusedBytes } = build
  return { build, pendingProcessing, sentBytes: 0, reusedBytes, isUnchanged: true }
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
        `${path} exceeds the limit of 2 GiB for metadata files. Attach a smaller file.`,
      )
    files.push(file)
  }
  return files
}
