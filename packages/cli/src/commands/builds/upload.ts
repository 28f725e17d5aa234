import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { requireApplicationId } from '../../application-of.ts'
import type { CommandContext, World } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { severalPaths, severalTexts, wholeNumber } from '../../option-values.ts'
import { openLocalFile } from '../../transfer/local-file.ts'
import type { LocalFile } from '../../transfer/local-file.ts'
import { sendMetadata } from '../../transfer/send-metadata.ts'
import { uploadBuild } from '../../transfer/upload-build.ts'
import type { LocalFiles, UploadContext } from '../../transfer/upload-context.ts'
import { removeState, stateFolder, statePath } from '../../transfer/upload-state.ts'
import { addVerb } from '../../verb.ts'
import { buildFacts } from './build-facts.ts'
import { uploadRequest } from './upload-request.ts'
import type { BuildOptions } from './upload-request.ts'

type Options = BuildOptions & {
  notes?: string
  notesFile?: string
  expansion?: string
  metadata?: string[]
  parallel: number
}

const largestMetadataBytes = 20 * 1024 * 1024

export function addUpload(parent: Command, world: World): void {
  addVerb<Options>(parent, world, {
    usage: 'upload <file>',
    summary: 'upload a build; run the same command again to go on after a break',
    example: 'quayside upload app-1.2.3.apk --stream nightlies --label smoke',
    options: (command) =>
      command
        .option('--stream <name>', 'stream it goes into', 'default')
        .option('--platform <slug>', 'platform (else: from the file and the application)')
        .option('--version <version>', 'version such as 1.2.3-rc.1 (else: from the tag or the file name)')
        .option('--extra <label>', 'pre-release label of the version, such as beta.2')
        .option('--meta <text>', 'metadata of the version')
        .option('--build-number <text>', 'build number of your own')
        .option('--label <name>', 'label, several times for several', severalTexts)
        .option(
          '--architecture <id>',
          'architecture such as arm64v8, several times for several',
          severalTexts,
        )
        .option('--custom-target <name>', 'custom target, by name or id')
        .option('--notes <text>', 'notes, in Markdown')
        .option('--notes-file <path>', 'file with the notes')
        .option('--expansion <path>', 'expansion file (OBB) that belongs to it')
        .option('--metadata <path>', 'file to keep with the build, several times for several', severalPaths)
        .option('--source <slug>', 'where it comes from (else: from the CI service)')
        .option('--no-scm', 'tell nothing of repository, branch, commit and run')
        .option('--parallel <number>', 'parts sent at a time', wholeNumber(1, 32), 4),
    run: (context, [path = ''], options) => upload(context, path, options),
  })
}

async function upload(context: CommandContext, path: string, options: Options): Promise<void> {
  const { cwd, env } = context.world
  await using opened = new OpenFiles()
  const primary = await opened.add(path, cwd)
  const expansion = options.expansion === undefined ? undefined : await opened.add(options.expansion, cwd)
  const metadata = await metadataFiles(opened, options.metadata ?? [], cwd)
  const notes = await readNotes(options, cwd)
  const applicationId = await requireApplicationId(context)
  const body = await uploadRequest(context, applicationId, { primary, expansion }, options, notes)
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
  const uploaded = await uploadBuild(uploadContext, applicationId, body, files)
  const artifacts = await sendMetadata(uploadContext, uploaded.build, metadata)
  await removeState(state)
  const result = {
    build_id: uploaded.build.id,
    version: uploaded.build.version,
    build_info_url: uploaded.build.modal_url,
    download_url: uploaded.build.download_url,
    pending_processing: uploaded.pendingProcessing,
    checksum_sha256: uploaded.build.primary_file.checksum_sha256,
    checksum_md5: uploaded.build.primary_file.checksum_md5,
    sent_bytes: uploaded.sentBytes,
    reused_bytes: uploaded.reusedBytes,
    metadata_artifacts: artifacts,
    build: uploaded.build,
  }
  context.output.result(result, () => buildFacts(uploaded.build))
  if (uploaded.pendingProcessing)
    context.output.note('The server still reads the package; the download is ready soon.')
}

/** Files that are closed when the command is over. */
class OpenFiles {
  readonly #files: LocalFile[] = []

  async add(path: string, cwd: string): Promise<LocalFile> {
    const file = await openLocalFile(path, cwd)
    this.#files.push(file)
    return file
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#files.map((file) => file.handle.close()))
  }
}

async function metadataFiles(opened: OpenFiles, paths: string[], cwd: string): Promise<LocalFile[]> {
  if (paths.length > 25)
    throw new Failure('usage', 'A build takes at most 25 metadata files: pack some together.')
  const files: LocalFile[] = []
  for (const path of paths) {
    const file = await opened.add(path, cwd)
    if (file.sizeBytes > largestMetadataBytes) {
      throw new Failure('failed', `${path} is too large for a metadata file: they have at most 20 MB.`)
    }
    files.push(file)
  }
  return files
}

async function readNotes({ notes, notesFile }: Options, cwd: string): Promise<string | undefined> {
  if (notesFile === undefined) return notes
  if (notes !== undefined)
    throw new Failure('usage', 'Give the notes by --notes or by --notes-file, not by both.')
  return readFile(resolve(cwd, notesFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure('failed', `${notesFile} cannot be read (${error.code}): check the path.`, {
      cause: error,
    })
  })
}
