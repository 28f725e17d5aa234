import type { Command } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'

export type LatestOptions = { stream?: string; platform?: string }

/** Adds the options that narrow down `latest`. */
export function withLatestOptions(command: Command): Command {
  return command
    .option('--stream <name>', 'stream to select the latest build from')
    .option('--platform <slug>', 'platform to select the latest build for')
}

/** Adds the options that narrow down `latest` or a link. */
export const withLinkOptions = (command: Command): Command =>
  withLatestOptions(command).option(
    '--password-stdin',
    'unlock a link with the password read from standard input',
  )

/** Thrown if no build matches `latest`. */
export class NoMatchingBuild extends Failure {
  constructor() {
    super('failed', 'No matching build was found. Run `quayside builds list` to see the builds.')
  }
}

/** Returns the ID of the selected build: the ID itself, or that of the most recent matching build for `latest`. */
export async function requireBuildId(
  context: CommandContext,
  application_id: string,
  selected: string,
  { stream, platform }: LatestOptions,
): Promise<string> {
  if (selected !== 'latest') return selected
  const filter = {
    ...(stream === undefined ? {} : { streams: escapeCommas(stream) }),
    ...(platform === undefined ? {} : { platforms: escapeCommas(platform) }),
  }
  const { data } = await context
    .client()
    .listBuilds(
      { application_id, sort_by: 'created_at', sort: 'desc', per_page: 1, ...filter },
      { signal: context.signal },
    )
  if (data[0]) return data[0].id
  throw new NoMatchingBuild()
}

/** Returns the IDs of the builds in `selected`, each of which is an ID or `latest`. */
export function requireBuildIds(
  context: CommandContext,
  application_id: string,
  selected: string[],
  options: LatestOptions,
): Promise<string[]> {
  return Promise.all(selected.map((build) => requireBuildId(context, application_id, build, options)))
}

/** Escapes a name for a filter that accepts a comma-separated list. */
const escapeCommas = (name: string): string => name.replaceAll(',', String.raw`\,`)
