import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { QuaysideError } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { downloadFile } from '../../transfer/download-file.ts'
import { openLocalFile } from '../../transfer/local-file.ts'
import type { LocalFile } from '../../transfer/local-file.ts'
import { sendMetadata } from '../../transfer/send-metadata.ts'
import { uploadBuild } from '../../transfer/upload-build.ts'
import type { LocalFiles, UploadBody, UploadContext } from '../../transfer/upload-context.ts'
import { removeState } from '../../transfer/upload-state.ts'
import { ignoring } from '../mirror/mirror-folder.ts'
import type { SourceBuild, SourceFile, SourceFiles } from './import-source.ts'
import type { ImportState } from './import-state.ts'

const parallel = 4

/**
 * Copies a build with its files to the application and returns the new build. An interrupted copy resumes: files that
 * are complete are kept, and the upload continues or, if it was already verified, returns its build.
 */
export async function importBuild(
  context: CommandContext,
  client: QuaysideClient,
  {
    applicationId,
    build,
    files,
    state,
    onFailedArtifact,
  }: {
    applicationId: string
    build: SourceBuild
    files: SourceFiles
    state: ImportState
    /** Called for a metadata artifact that cannot be imported. Without it, the build is not imported either. */
    onFailedArtifact?: (filename: string, error: Failure) => void
  },
): Promise<{ buildId: string; sizeBytes: number }> {
  const folder = state.filesOf(build.id)
  const opened: LocalFile[] = []
  const openFile = async (file: SourceFile, name: string): Promise<LocalFile> => {
    const local = await openLocalFile(await fetchFile(context, file, join(folder, name)), folder)
    opened.push(local)
    return local
  }
  const statePath = `${folder}.upload.json`
  const upload: UploadContext = {
    client,
    server: context.settings.server,
    output: context.output,
    agents: context.agents,
    signal: context.signal,
    parallel,
    statePath,
    reuse: false,
  }
  try {
    const local: LocalFiles = [{ role: 'primary', file: await openFile(files.primary, 'primary') }]
    if (files.expansion !== undefined)
      local.push({ role: 'expansion', file: await openFile(files.expansion, 'expansion') })
    const uploaded = await uploadBuild(upload, applicationId, uploadBody(applicationId, build, local), local)
    const artifacts: LocalFile[] = []
    for (const [index, file] of files.artifacts.entries())
      try {
        artifacts.push(await openFile(file, `artifact-${index}`))
      } catch (error) {
        if (onFailedArtifact === undefined || !(error instanceof Failure) || error.kind !== 'failed')
          throw error
        onFailedArtifact(file.filename, error)
      }
    await sendMetadata(upload, uploaded.build, artifacts)
    if (build.keep_forever === true)
      await client.updateBuild(
        { application_id: applicationId, build_id: uploaded.build.id, body: { keep_forever: true } },
        { signal: context.signal, idempotent: true },
      )
    await state.add('build', build.id, uploaded.build.id)
    await removeState(statePath)
    return { buildId: uploaded.build.id, sizeBytes: uploaded.sentBytes }
  } catch (error) {
    throw error instanceof QuaysideError && error.status === 422
      ? new Failure('failed', `The build ${build.version} (${build.id}) was rejected: ${error.message}`, {
          cause: error,
        })
      : error
  } finally {
    await Promise.all(opened.map(({ handle }) => handle.close()))
    if (state.find('build', build.id) !== undefined) await state.removeFiles(folder)
  }
}

/** Returns the path of the file. Downloads it unless it is on this computer, and compares it with its checksum. */
async function fetchFile(
  { agents, output, signal }: CommandContext,
  file: SourceFile,
  folder: string,
): Promise<string> {
  if (file.path !== undefined) return file.path
  const target = join(folder, file.filename)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // A file with its final name was compared with its checksum when it was downloaded.
  if ((await stat(target).catch(ignoring('ENOENT')))?.size === file.sizeBytes) return target
  await downloadFile({
    ...file,
    url: file.url ?? (() => Promise.reject(new Error('the file has no URL'))),
    fetchChecksum: () => Promise.resolve(undefined),
    target,
    partialPath: join(folder, '.partial'),
    agents,
    output,
    signal,
  })
  return target
}

const withoutNulls = <T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as { [Name in keyof T]?: NonNullable<T[Name]> }

function uploadBody(applicationId: string, build: SourceBuild, files: LocalFiles): UploadBody {
  const described = files.map(({ role, file }) => ({
    role,
    filename: file.filename,
    size_bytes: file.sizeBytes,
  }))
  const [primary, expansion] = described.map(({ filename, size_bytes }) => ({ filename, size_bytes }))
  if (primary === undefined) throw new Error('the build has no primary file')
  const { ci_pipeline: ci, scm } = build
  return {
    application_id: applicationId,
    structure: expansion === undefined ? 'file' : 'file+expansion',
    platform: build.platform.identifier,
    stream: build.stream.name,
    source: build.build_source,
    primary_file: primary,
    ...(expansion === undefined ? {} : { expansion_files: [expansion] }),
    version_component_1_major: build.version_semantic_major,
    version_component_2_minor: build.version_semantic_minor,
    version_component_3_patch: build.version_semantic_patch,
    labels: build.labels.map(({ name }) => name),
    architectures: build.architectures.map(({ identifier }) => identifier),
    ...withoutNulls({
      version_component_extra: build.version_semantic_extra,
      version_component_meta: build.version_semantic_meta,
      custom_build_number: build.build_number,
      custom_target: build.custom_target?.name,
      notes: build.notes,
      built_at: build.built_at,
      ci_pipeline: ci?.ci_pipeline_name,
      ci_pipeline_url: ci?.ci_pipeline_url,
      ci_run_id: ci?.ci_run_id,
      ci_run_url: ci?.ci_run_url,
      ci_build_duration: ci?.ci_build_duration,
      vc_host_type: scm?.scm_host_type,
      vc_host: scm?.scm_host,
      vc_repo_name: scm?.scm_repo_name,
      vc_repo_url: scm?.scm_repo_url,
      vc_branch: scm?.scm_branch,
      vc_commit_sha: scm?.scm_commit_sha,
      vc_commit_url: scm?.scm_commit_url,
    }),
  }
}
