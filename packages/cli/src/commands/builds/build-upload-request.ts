import { QuaysideError } from '@quayside/sdk'
import { formatVersion } from '@quayside/sdk/version'
import { firstNonEmpty } from '../../ci/ci-metadata.ts'
import { detectCi } from '../../ci/detect-ci.ts'
import type { CiRun } from '../../ci/detect-ci.ts'
import { readLocalGit } from '../../ci/local-git.ts'
import type { LocalGit } from '../../ci/local-git.ts'
import { localGitOf, originFields, withOriginOptions } from '../../ci/origin-fields.ts'
import type { OriginOptions } from '../../ci/origin-fields.ts'
import type { CommandContext } from '../../command-context.ts'
import { architectureIdentifier } from '../../files/architecture-aliases.ts'
import { detectPlatform } from '../../files/detect-platform.ts'
import type { LocalFile } from '../../transfer/local-file.ts'
import type { UploadBody } from '../../transfer/upload-context.ts'
import { chooseVersion } from '../../version/choose-version.ts'

/** The `quayside upload` options that describe the build. */
export type BuildOptions = OriginOptions & {
  stream: string
  platform?: string
  version?: string
  versionFrom?: 'tag' | 'filename'
  extra?: string
  meta?: string
  buildNumber?: string
  label?: string[]
  architecture?: string[]
  customTarget?: string
  source?: string
  /** False if `--no-scm` is set. */
  scm: boolean
}

/** Builds the upload request from the options, the file, the CI environment and the local repository. */
export async function buildUploadRequest(
  context: CommandContext,
  applicationId: string,
  files: { primary: LocalFile; expansion?: LocalFile | undefined },
  options: BuildOptions,
  notes: string | undefined,
): Promise<UploadBody> {
  const { primary, expansion } = files
  const { run, git } = await findOrigin(context, primary, options)
  const version = chooseVersion({
    option: options.version,
    extra: options.extra,
    meta: options.meta,
    tag: firstNonEmpty(run.tag, git.tag),
    filename: primary.filename,
    versionFrom: options.versionFrom,
  })
  if (version.conflict !== undefined) context.output.note(version.conflict)
  const origin = originFields(run, git, new Date())
  const platform =
    options.platform ?? (await detectPlatform(primary, await listPlatformsIfAllowed(context, applicationId)))
  const source = options.source ?? origin.source
  context.output.note(
    `${primary.filename}: version ${formatVersion(version)} (from ${version.from}), platform ${platform}, ` +
      `stream ${options.stream}, source ${source}`,
  )
  return {
    ...origin,
    source,
    application_id: applicationId,
    structure: expansion ? 'file+expansion' : 'file',
    platform,
    stream: options.stream,
    primary_file: { filename: primary.filename, size_bytes: primary.sizeBytes },
    ...(expansion
      ? { expansion_files: [{ filename: expansion.filename, size_bytes: expansion.sizeBytes }] }
      : {}),
    version_component_1_major: version.major,
    version_component_2_minor: version.minor,
    version_component_3_patch: version.patch,
    ...(version.extra ? { version_component_extra: version.extra } : {}),
    ...(version.meta ? { version_component_meta: version.meta } : {}),
    ...buildNumberField(options.buildNumber ?? version.build),
    ...(options.label === undefined ? {} : { labels: options.label }),
    ...(options.architecture === undefined
      ? {}
      : { architectures: options.architecture.map((name) => architectureIdentifier(platform, name)) }),
    ...(options.customTarget === undefined ? {} : { custom_target: options.customTarget }),
    ...(notes === undefined ? {} : { notes }),
  }
}

/** The build number of the CI run, which `origin` contains, applies only if there is no other. */
const buildNumberField = (buildNumber: string | undefined): Pick<UploadBody, 'custom_build_number'> =>
  buildNumber === undefined ? {} : { custom_build_number: buildNumber }

/** Returns the CI run and the state of the Git repository that contains the file. */
async function findOrigin(
  { runtime, output }: CommandContext,
  file: LocalFile,
  options: BuildOptions,
): Promise<{ run: CiRun; git: LocalGit }> {
  const detected = detectCi(runtime.env)
  if (!options.scm) return { run: withOriginOptions({ source: detected.source }, options), git: {} }
  const run = withOriginOptions(detected, options)
  const git = await readLocalGit(file.folder, runtime.env, (text) => output.note(text))
  return { run, git: localGitOf(run, git) }
}

async function listPlatformsIfAllowed(
  context: CommandContext,
  application_id: string,
): Promise<string[] | undefined> {
  try {
    const { data } = await context.client().getApplication({ application_id }, { signal: context.signal })
    return data.platforms.map(({ identifier }) => identifier)
  } catch (error) {
    // This request requires the scope applications:read if the key is a workspace key. The server still rejects an
    // upload to an unsuitable platform.
    if (error instanceof QuaysideError && error.status === 403) return undefined
    throw error
  }
}
