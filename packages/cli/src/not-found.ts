import { QuaysideError } from '@quayside/sdk'
import { Failure } from './failure.ts'

const maxNames = 20

type Missing = {
  /** What was not found, such as `Stream "beta"`. */
  what: string
  /** The plural noun for the existing resources, such as `Streams`. */
  plural: string
  /** The command that lists what exists. */
  command: string
  listNames: () => Promise<string[]>
}

/** Replaces a 404 error with a message that names the missing resource and, if there are few, those that exist. */
export async function withExistingNames<Result>(
  response: Promise<Result>,
  missing: Missing,
): Promise<Result> {
  try {
    return await response
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 404) throw error
    throw new Failure('failed', await describeMissing(missing))
  }
}

/** Returns a message that names the missing resource and, if there are few, those that exist. */
export async function describeMissing({ what, plural, command, listNames }: Missing): Promise<string> {
  // If the key is not authorized to list the resources, the original error is reported.
  const names = await listNames().catch(() => undefined)
  if (names?.length === 0) return `${what} was not found. There are no ${plural.toLowerCase()}.`
  const isShort = names !== undefined && names.length <= maxNames
  return isShort
    ? `${what} was not found. ${plural}: ${names.join(', ')}.`
    : `${what} was not found. Run \`${command}\` to see the ${plural.toLowerCase()}.`
}

/** Returns the failure for a selection that fits several resources, such as `applications are named "Compass"`. */
export const severalFound = (description: string, ids: string[]): Failure =>
  new Failure('usage', `Several ${description}. Use one of these IDs: ${ids.join(', ')}.`)
