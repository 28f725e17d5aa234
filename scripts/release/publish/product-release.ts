import { writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseError } from '../release-error.ts'
import type { CommandLine } from './command-line.ts'
import type { ReleaseFolder } from './release-folder.ts'
import { notesForPage } from './release-notes.ts'

type ListedRelease = { id: string; version: string; status: string }
type FullRelease = ListedRelease & { builds: { id: string }[] }
type ShareLink = {
  short_url: string
  is_active: boolean
  expired: boolean
  expires_at: string | null
  password_protected: boolean
  max_downloads: number | null
}

/** Creates the release as a draft unless it exists, adds builds that it does not have, and returns its ID. */
export async function provideRelease(
  { quayside }: CommandLine,
  { version, notesPath }: ReleaseFolder,
  { ids, work }: { ids: readonly string[]; work: string },
): Promise<string> {
  const notes = join(work, 'notes.md')
  await writeFile(notes, notesForPage(await readFile(notesPath, 'utf8')))
  const listed = await quayside<ListedRelease[]>('releases', 'list', '--search', version, '--all')
  const existing = listed.find((release) => release.version === version)
  if (existing === undefined) {
    const builds = ids.flatMap((id) => ['--build', id])
    const options = ['--draft', '--notes-file', notes, ...builds]
    return (await quayside<FullRelease>('releases', 'create', version, ...options)).id
  }
  const { id, builds } = await quayside<FullRelease>('releases', 'view', existing.id)
  const missing = ids.filter((buildId) => !builds.some((build) => build.id === buildId))
  if (missing.length > 0) await quayside('releases', 'add', id, ...missing)
  return id
}

/** Publishes the release unless it is published, and returns a link to its page that never expires. */
export async function publishProductRelease({ quayside }: CommandLine, id: string): Promise<ShareLink> {
  const { status } = await quayside<FullRelease>('releases', 'view', id)
  if (status === 'withdrawn')
    throw new ReleaseError('The release was withdrawn. Publish it again with quayside releases publish.')
  if (status !== 'published') await quayside('releases', 'publish', id)
  const links = await quayside<ShareLink[]>('share', 'list', '--release', id)
  return links.find(isOpen) ?? quayside<ShareLink>('share', '--release', id)
}

const isOpen = (link: ShareLink): boolean =>
  link.is_active &&
  !link.expired &&
  link.expires_at === null &&
  !link.password_protected &&
  link.max_downloads === null
