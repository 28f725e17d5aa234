import { Type, type Static } from 'typebox'
import { formatVersion } from '../../lib/semver.ts'
import { Nullable, Timestamp } from './fields.ts'
import { versionOf, type VersionColumns } from './version-parts.ts'

/** The settings, releases and share links that exempt a build from retention, apart from the settings of its stream. */
export type Keepers = {
  keep_forever: boolean
  release_count: number
  releases: { id: string; title: string; version: VersionColumns }[]
  share_link_count: number
  share_links: {
    id: string
    expires_at: string | null
    max_downloads: number | null
    download_count: number
  }[]
}

export const keptByFields = {
  message: Type.String({ description: 'The reason as a sentence.' }),
  releases: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), title: Type.String(), version: Type.String() }), {
      description: 'The ten most recent releases that contain the build.',
    }),
  ),
  share_links: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        expires_at: Nullable(Timestamp),
        max_downloads: Nullable(Type.Integer()),
        download_count: Type.Integer(),
      }),
      { description: 'The ten most recent share links to the build that can still be used.' },
    ),
  ),
}

export const KeptBy = Type.Object(
  { reason: Type.Enum(['keep_forever', 'release', 'share_link']), ...keptByFields },
  { title: 'KeptBy' },
)
export type KeptBy = Static<typeof KeptBy>

/** Returns the reasons why a build is kept regardless of the retention settings of its stream. */
export function keptBy(keepers: Keepers | undefined): KeptBy[] {
  if (keepers === undefined) return []
  const { keep_forever, release_count, releases, share_link_count, share_links } = keepers
  const found: KeptBy[] = []
  if (keep_forever) found.push({ reason: 'keep_forever', message: 'It is marked to be kept indefinitely.' })
  if (release_count > 0)
    found.push({
      reason: 'release',
      message: release_count === 1 ? 'A release contains it.' : `${release_count} releases contain it.`,
      releases: releases.map(({ id, title, version }) => ({
        id,
        title,
        version: formatVersion(versionOf(version)),
      })),
    })
  if (share_link_count > 0)
    found.push({
      reason: 'share_link',
      message:
        share_link_count === 1
          ? 'It has a share link that can still be used.'
          : `${share_link_count} share links to it can still be used.`,
      share_links,
    })
  return found
}

/**
 * Returns a phrase that names the releases and share links that prevent the deletion of a build, or undefined if there
 * are none.
 */
export function holdersOf(keepers: Keepers | undefined): string | undefined {
  const { release_count = 0, releases = [], share_link_count = 0, share_links = [] } = keepers ?? {}
  const parts = [
    list(
      release_count,
      'release',
      releases.map(({ id, title, version }) => `"${title}" ${formatVersion(versionOf(version))} (${id})`),
    ),
    list(
      share_link_count,
      'share link',
      share_links.map(({ id }) => id),
    ),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' and ')
}

function list(count: number, noun: string, named: string[]): string | undefined {
  if (count === 0) return undefined
  const others = count > named.length ? ` and ${count - named.length} more` : ''
  return `${count === 1 ? `the ${noun}` : `${count} ${noun}s:`} ${named.join(', ')}${others}`
}
