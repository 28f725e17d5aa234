import { timingSafeEqual } from 'node:crypto'
import { Type, type Static } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { Nullable, PathId, Timestamp } from '../../http/fields.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { requireBuild, type BuildRow } from '../builds/build.db.ts'
import { SharedBuild, sharedBuildResource, versionResource } from '../builds/build.ts'
import { listBuildsOfRelease, requireRelease } from '../releases/release.db.ts'
import { findShareLink, type ShareLinkRow } from './share-link.db.ts'
import { ShareLinkId, shareToken, shareUrl } from './share-link.ts'

export const Shared = Type.Object(
  {
    shareable_type: Type.Enum(['build', 'release']),
    password_required: Type.Boolean({ description: 'true: post the password to …/grants first.' }),
    expires_at: Nullable(Timestamp),
    download_url: Type.String({
      description:
        'For a browser or `curl -L -OJ`; with `?build_id=` where there are several builds, `grant=` after a password.',
    }),
    title: Type.Optional(Type.String({ description: 'Of the release.' })),
    version: Type.Optional(Type.String({ description: 'Of the release.' })),
    notes: Type.Optional(Nullable(Type.String({ description: 'Of the release; Markdown.' }))),
    builds: Type.Optional(Type.Array(SharedBuild)),
  },
  { title: 'Shared' },
)

export const sharedParams = Type.Object({
  share_link_id: ShareLinkId,
  share_token: PathId('Secret part of the URL.'),
})

type Visit = Pick<Deps, 'secretBox' | 'config'> & { db: Db }

const gone = (code: string, message: string) => new Problem('gone', `share_link.${code}`, message)

type Visitor = { db: Db; secretBox: Deps['secretBox']; params: Static<typeof sharedParams> }

/** The `visible` step of public use: a wrong token is as good as no link; 410 when the link allows nothing more. */
export async function requireUsableLink(call: Visitor) {
  const { link } = await requireOpenLink(call)
  requireDownloadsLeft(link)
  return { link }
}

/** The same of a link whose downloads may have been taken already. */
export async function requireOpenLink(call: Visitor) {
  const { share_link_id: id, share_token: token } = call.params
  const given = Buffer.from(token)
  const wanted = Buffer.from(shareToken(call, id))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw notFound()
  const link = await findShareLink(call.db, id)
  if (link === undefined) throw notFound()
  if (!link.is_active) throw gone('revoked', 'This link was revoked.')
  if (link.expired) throw gone('expired', 'This link has expired.')
  return { link }
}

export function requireDownloadsLeft({ max_downloads: most, download_count: taken }: ShareLinkRow): void {
  if (most !== null && taken >= most) throw usedUp()
}

export const usedUp = (): Problem => gone('used_up', 'This link allows no more downloads.')

/** Builds behind a link that are not in the trash. */
export async function listSharedBuilds(db: Db, link: ShareLinkRow): Promise<BuildRow[]> {
  if (link.build_id !== null) return [await requireBuild(db, link.application_id, link.build_id)]
  return listBuildsOfRelease(db, link.release_id ?? '')
}

export async function sharedResource(call: Visit, link: ShareLinkRow): Promise<Static<typeof Shared>> {
  const { db } = call
  const builds = (await listSharedBuilds(db, link)).map(sharedBuildResource)
  if (link.release_id === null) return { ...sharedFrame(call, link), builds }
  const release = await requireRelease(db, link.application_id, link.release_id)
  const { version } = versionResource(release)
  return { ...sharedFrame(call, link), title: release.title, version, notes: release.notes, builds }
}

/** What may be said before the password. */
export const sharedFrame = (call: Visit, link: ShareLinkRow): Static<typeof Shared> => ({
  shareable_type: link.build_id === null ? 'release' : 'build',
  password_required: link.password_hash !== null,
  expires_at: link.expires_at,
  download_url: `${shareUrl(call, link.id)}/download`,
})
