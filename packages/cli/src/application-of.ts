import { everyItem, QuaysideError } from '@quayside/sdk'
import type { Application } from '@quayside/sdk'
import type { CommandContext } from './command-context.ts'
import { Failure } from './failure.ts'

/**
 * The id of the application a command is about: given by id or unique name, or the only one the key reaches.
 */
export async function requireApplicationId(context: CommandContext): Promise<string> {
  const given = context.settings.application
  return given === undefined ? onlyApplication(context) : namedApplication(context, given)
}

async function onlyApplication(context: CommandContext): Promise<string> {
  const { data } = await context.client().listApplications({ per_page: 6 }, { signal: context.signal })
  const [first, second] = data
  if (first && !second) return first.id
  if (!first) {
    const advice = 'create one with `quayside applications create <name>`'
    throw new Failure('failed', `There is no application yet that this key reaches: ${advice}.`)
  }
  throw new Failure(
    'usage',
    `This key reaches several applications (${namesOf(data)}): choose one with --application.`,
  )
}

async function namedApplication(context: CommandContext, given: string): Promise<string> {
  const client = context.client()
  const looksLikeId = /^[a-z0-9]{12}$/.test(given)
  if (looksLikeId) {
    try {
      const { data } = await client.getApplication({ application_id: given }, { signal: context.signal })
      return data.id
    } catch (error) {
      if (!(error instanceof QuaysideError)) throw error
      // A key that may upload need not be allowed to read applications.
      if (error.status === 403) return given
      if (error.status !== 404) throw error
    }
  }
  const wanted = given.toLowerCase()
  const matches: Application[] = []
  const search = given.length <= 50 ? { search: given } : {}
  const pages = everyItem((page) =>
    client.listApplications({ ...search, page, per_page: 100 }, { signal: context.signal }),
  )
  for await (const application of pages) {
    if (application.id === given || application.name.toLowerCase() === wanted) matches.push(application)
  }
  const exact = matches.filter((application) => application.name === given)
  const [only, ...others] = exact.length > 0 ? exact : matches
  if (!only) {
    const advice = 'see `quayside applications list`'
    throw new Failure('failed', `There is no application "${given}" that this key reaches: ${advice}.`)
  }
  if (others.length === 0) return only.id
  const ids = [only, ...others].map(({ id }) => id).join(', ')
  throw new Failure('usage', `Several applications are called "${given}": give one of the ids ${ids}.`)
}

function namesOf(applications: Application[]): string {
  const names = applications.slice(0, 5).map(({ name }) => `"${name}"`)
  return [...names, ...(applications.length > 5 ? ['…'] : [])].join(', ')
}
