import { allItems } from '@quayside/sdk'
import { parseVersion } from '@quayside/sdk/version'
import { Option } from 'commander'
import type { Command } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { parseDurationSeconds } from '../../option-parsers.ts'
import { findReleases, requireReleaseId } from '../releases/select-release.ts'

export type TargetOptions = {
  release?: string
  createRelease?: boolean
  group?: string
  /** False if `--no-notify` is set. */
  notify?: boolean
}

/** The release and the distribution group that receive an uploaded build. */
export type UploadTarget = {
  /** The ID, version or title of an existing release, or the title of the release to create. */
  release?: string
  /** Undefined if the release has to be created. */
  releaseId?: string
  groupId?: string
}

/** Adds the options that control whether a build is uploaded and what happens to it afterward. */
export function withTargetOptions(command: Command): Command {
  return command
    .option('--release <release>', 'add the build to a release, by ID, version or title')
    .option('--create-release', 'create the release if it does not exist')
    .option(
      '--group <group>',
      'add the release to a distribution group, by ID or name, and notify its members',
    )
    .option('--no-notify', 'do not notify the members of the distribution group')
    .option('--if-changed', 'upload only if the latest build of the stream and platform differs')
    .option('--wait', 'wait until the server has processed the build')
    .addOption(
      new Option('--wait-timeout <duration>', 'maximum time to wait, such as 90s or 10m')
        .argParser(parseDurationSeconds)
        .default(600, '10m'),
    )
    .option('--dry-run', 'print what would be sent without sending it')
}

/** Resolves the release and the group, so that a mistake is reported before the upload. */
export async function selectUploadTarget(
  context: CommandContext,
  application_id: string,
  options: TargetOptions,
): Promise<UploadTarget> {
  const { release, group, createRelease } = options
  if (release === undefined) {
    if (group === undefined && createRelease !== true) return {}
    const option = group === undefined ? '--create-release' : '--group'
    throw new Failure('usage', `${option} requires --release. Add --release <release>.`)
  }
  const groupId = group === undefined ? {} : { groupId: await requireGroupId(context, group) }
  if (createRelease === true && (await findReleases(context, application_id, release)).length === 0)
    return { release, ...groupId }
  return { release, releaseId: await requireReleaseId(context, application_id, release), ...groupId }
}

async function requireGroupId({ client, signal }: CommandContext, selected: string): Promise<string> {
  // The API limits a search to 50 characters.
  const search = selected.length <= 50 ? { search: selected } : {}
  const groups = await allItems((page) =>
    client().listDistributionGroups({ ...search, page, per_page: 100 }, { signal }),
  )
  const name = selected.toLowerCase()
  const group = groups.find((each) => each.id === selected || each.name.toLowerCase() === name)
  if (group) return group.id
  throw new Failure(
    'failed',
    `No distribution group "${selected}" was found with this key. Check its name or ID.`,
  )
}

type Added = { release_id?: string; notified_count?: number }

/** Adds an uploaded build to the release, and the release to the group. */
export async function addToUploadTarget(
  context: CommandContext,
  application_id: string,
  build: { id: string; version: string },
  target: UploadTarget,
  options: TargetOptions,
): Promise<Added> {
  if (target.release === undefined) return {}
  const client = context.client()
  const call = { signal: context.signal }
  const release_id = target.releaseId ?? (await createRelease(context, application_id, build, target.release))
  const { data: release } = await client.addReleaseBuild(
    { application_id, release_id, build_id: build.id },
    call,
  )
  context.output.note(`Added to the release ${release.title} (${release.version}, ${release_id}).`)
  if (target.groupId === undefined) return { release_id }
  const { message, notified_count } = await client.addDistributionGroupRelease(
    { distribution_group_id: target.groupId, body: { release_id, notify: options.notify !== false } },
    call,
  )
  context.output.note(message)
  return { release_id, notified_count }
}

/** Creates a release with the version in its name or, if there is none, the version of the build. */
async function createRelease(
  { client, signal }: CommandContext,
  application_id: string,
  build: { version: string },
  title: string,
): Promise<string> {
  const version = parseVersion(title) ?? parseVersion(build.version)
  if (!version)
    throw new Failure(
      'failed',
      `"${title}" is not a version. Create the release first with \`quayside releases create\`.`,
    )
  const body = {
    title,
    version_component_1_major: version.major,
    version_component_2_minor: version.minor,
    version_component_3_patch: version.patch,
    version_component_extra: version.extra ?? null,
    version_component_meta: version.meta ?? null,
  }
  const { data } = await client().createRelease({ application_id, body }, { signal })
  return data.id
}
