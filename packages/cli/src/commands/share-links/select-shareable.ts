import type { CreateBuildShareLinkParams, ShareLink } from '@quayside/sdk'
import type { Command } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { buildNotFound } from '../builds/format-build.ts'
import { requireBuildId, withLatestOptions } from '../builds/select-build.ts'
import type { LatestOptions } from '../builds/select-build.ts'
import { requireReleaseId } from '../releases/select-release.ts'

export type ShareableOptions = LatestOptions & { release?: string }

/** The build or release that a command shares. */
export type Shareable = {
  create: (body: CreateBuildShareLinkParams['body']) => Promise<{ data: ShareLink }>
  list: () => Promise<{ data: ShareLink[] }>
}

/** Adds the options that select what is shared. */
export function withShareableOptions(command: Command): Command {
  return withLatestOptions(
    command.option('--release <release>', 'use a release, by ID, version or title, instead of a build'),
  )
}

/** Returns the selected build or release. Throws unless exactly one of them is selected. */
export async function selectShareable(
  context: CommandContext,
  build: string | undefined,
  options: ShareableOptions,
): Promise<Shareable> {
  if ((build === undefined) === (options.release === undefined))
    throw new Failure('usage', 'Specify either a build (an ID or "latest") or a release with --release.')
  const client = context.client()
  const call = { signal: context.signal }
  const application_id = await requireApplicationId(context)
  if (options.release !== undefined) {
    const release_id = await requireReleaseId(context, application_id, options.release)
    return {
      create: (body) => client.createReleaseShareLink({ application_id, release_id, body }, call),
      list: () => client.listReleaseShareLinks({ application_id, release_id }, call),
    }
  }
  const build_id = await requireBuildId(context, application_id, build ?? '', options)
  const missing = buildNotFound(build_id)
  return {
    create: (body) =>
      withNotFoundMessage(client.createBuildShareLink({ application_id, build_id, body }, call), missing),
    list: () => withNotFoundMessage(client.listBuildShareLinks({ application_id, build_id }, call), missing),
  }
}
