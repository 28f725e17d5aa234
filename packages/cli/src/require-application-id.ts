import { everyItem, QuaysideError } from '@quayside/sdk'
import type { Application } from '@quayside/sdk'
import type { CommandContext } from './command-context.ts'
import { Failure } from './failure.ts'
import { severalFound } from './not-found.ts'

/**
 * Returns the ID of the application selected by ID or unique name. If none is selected, returns the ID of the only
 * application that the key can access. Throws if no application or more than one matches.
 */
export async function requireApplicationId(context: CommandContext): Promise<string> {
  const selected = context.settings.application
  return selected === undefined ? requireOnlyApplication(context) : requireApplication(context, selected)
}

/**
 * Returns the application ID as `requireApplicationId` does, but gives an argument of the command precedence over the
 * setting.
 */
export async function requireApplicationIdOf(
  context: CommandContext,
  argument: string | undefined,
): Promise<string> {
  return argument === undefined ? requireApplicationId(context) : requireApplication(context, argument)
}

export type KeyLevelOptions = { workspace?: boolean }

export const workspaceOption = [
  '--workspace',
  'manage workspace keys, even if QUAYSIDE_APPLICATION is set',
] as const

/** Returns the ID of the application whose keys the command manages, or undefined for workspace keys. */
export async function selectKeyApplicationId(
  context: CommandContext,
  options: KeyLevelOptions,
): Promise<string | undefined> {
  if (options.workspace === true || context.settings.application === undefined) return undefined
  return requireApplicationId(context)
}

async function requireOnlyApplication(context: CommandContext): Promise<string> {
  const { data } = await explainForbidden(
    context.client().listApplications({ per_page: 6 }, { signal: context.signal }),
    'This key cannot list applications. Select one by its ID with --application.',
  )
  const [first, second] = data
  if (first && !second) return first.id
  if (!first) {
    throw new Failure(
      'failed',
      'This key cannot access any application. Create one with `quayside applications create <name>`.',
    )
  }
  throw new Failure(
    'usage',
    `This key can access several applications (${formatNames(data)}). Select one with --application.`,
  )
}

async function requireApplication(context: CommandContext, selected: string): Promise<string> {
  const client = context.client()
  const looksLikeId = /^[a-z0-9]{12}$/.test(selected)
  if (looksLikeId) {
    try {
      const { data } = await client.getApplication({ application_id: selected }, { signal: context.signal })
      return data.id
    } catch (error) {
      if (!(error instanceof QuaysideError)) throw error
      // A key that can upload builds may not be allowed to read applications.
      if (error.status === 403) return selected
      if (error.status !== 404) throw error
    }
  }
  const matches = await explainForbidden(
    findApplications(context, selected),
    `This key cannot find applications by name. Use the application ID instead of "${selected}", ` +
      'or a key with the scope applications:read.',
  )
  const exactMatches = matches.filter((application) => application.name === selected)
  const [match, ...others] = exactMatches.length > 0 ? exactMatches : matches
  if (!match) {
    throw new Failure(
      'failed',
      `No application "${selected}" was found with this key. Run \`quayside applications list\` to see the applications.`,
    )
  }
  if (others.length === 0) return match.id
  const ids = [match, ...others].map(({ id }) => id).toSorted()
  throw severalFound(`applications are named "${selected}"`, ids)
}

/** Returns the applications with this ID or, ignoring case, this name. */
export async function findApplications(
  { client, signal }: CommandContext,
  selected: string,
  options: { trashed?: boolean } = {},
): Promise<Application[]> {
  const name = selected.toLowerCase()
  const matches: Application[] = []
  // The API limits a search to 50 characters.
  const search = selected.length <= 50 ? { search: selected } : {}
  const applications = everyItem((page) =>
    client().listApplications({ ...options, ...search, page, per_page: 100 }, { signal }),
  )
  for await (const application of applications) {
    if (application.id === selected || application.name.toLowerCase() === name) matches.push(application)
  }
  return matches
}

async function explainForbidden<Result>(response: Promise<Result>, message: string): Promise<Result> {
  try {
    return await response
  } catch (error) {
    if (error instanceof QuaysideError && error.status === 403) throw new Failure('not_allowed', message)
    throw error
  }
}

function formatNames(applications: Application[]): string {
  const names = applications.slice(0, 5).map(({ name }) => `"${name}"`)
  return [...names, ...(applications.length > 5 ? ['…'] : [])].join(', ')
}
