import { everyItem, QuaysideError } from '@quayside/sdk'
import type { Release } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { severalFound } from '../../not-found.ts'

/** Returns the ID of the release with this ID, version or title, or of the most recent release for `latest`. */
export async function requireReleaseId(
  context: CommandContext,
  application_id: string,
  selected: string,
): Promise<string> {
  const [match, ...others] = await findReleases(context, application_id, selected)
  if (!match)
    throw new Failure(
      'failed',
      `Release "${selected}" was not found in this application. Run \`quayside releases list\` to see the releases.`,
    )
  if (others.length === 0) return match
  throw severalFound(`releases have the version or title "${selected}"`, [match, ...others])
}

/**
 * Returns the ID of the release with this ID or, if there is none, the IDs of all releases with this version or title.
 * `latest` selects the most recent release.
 */
export async function findReleases(
  context: CommandContext,
  application_id: string,
  selected: string,
): Promise<string[]> {
  const client = context.client()
  const call = { signal: context.signal }
  if (selected === 'latest') {
    const newest = { sort_by: 'created_at', sort: 'desc', per_page: 1 } as const
    const { data } = await client.listReleases({ application_id, ...newest }, call)
    return data.map(({ id }) => id)
  }
  if (/^[a-z0-9]{10}$/.test(selected) && (await hasRelease(context, application_id, selected)))
    return [selected]
  const matches: string[] = []
  // The API limits a search to 50 characters.
  const search = selected.length <= 50 ? { search: selected } : {}
  const releases = everyItem((page) =>
    client.listReleases({ application_id, ...search, page, per_page: 100 }, call),
  )
  for await (const release of releases) if (isNamed(release, selected)) matches.push(release.id)
  return matches
}

const isNamed = ({ id, version, title }: Release, selected: string): boolean =>
  [id, version, title].includes(selected)

async function hasRelease(
  { client, signal }: CommandContext,
  application_id: string,
  release_id: string,
): Promise<boolean> {
  try {
    await client().getRelease({ application_id, release_id }, { signal })
    return true
  } catch (error) {
    if (error instanceof QuaysideError && error.status === 404) return false
    // A key that can change releases may not be allowed to read them.
    if (error instanceof QuaysideError && error.status === 403) return true
    throw error
  }
}
