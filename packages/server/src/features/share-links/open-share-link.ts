import { Type, type Static } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { versionResource } from '../builds/build.ts'
import { SharedBuild, sharedBuildResources } from '../download-pages/download-page.ts'
import { requireRelease } from '../releases/release.db.ts'
import { requireUsableLink, shareLinkParams, shareLinkProblems } from './share-link-access.ts'
import { listSharedBuilds } from './share-link-download.ts'
import { shareUrl } from './share-link-url.ts'
import type { ShareLinkRow } from './share-link.db.ts'

export const Shared = Type.Object(
  {
    shareable_type: Type.Enum(['build', 'release']),
    password_required: Type.Boolean({ description: 'If `true`, POST the password to `{url}/grants` first.' }),
    expires_at: Nullable(Timestamp),
    download_url: Type.String({
      description:
        'URL for browsers and `curl -L -OJ`. Add `?build_id=` if there are several builds, and `grant=` if a password is required.',
    }),
    title: Type.Optional(Type.String({ description: 'Title of the release.' })),
    version: Type.Optional(Type.String({ description: 'Version of the release.' })),
    notes: Type.Optional(Nullable(Type.String({ description: 'Notes of the release, in Markdown.' }))),
    builds: Type.Optional(Type.Array(SharedBuild)),
  },
  { title: 'Shared' },
)

export const openShareLink = endpoint({
  method: 'GET',
  path: '/public/share-links/:share_link_id/:share_token',
  scope: 'public',
  summary: 'Get a shared build or release',
  description:
    'If the link has a password, the shared builds are omitted; POST the password to `{url}/grants` to get them. Returns 410 if the link is revoked, has expired or has reached its download limit, or if its release was withdrawn. Returns 404 if its release has never been published.',
  params: shareLinkParams,
  refuses: [...shareLinkProblems],
  returns: one(Shared),
  load: requireUsableLink,
  async handle({ link, ...call }) {
    const data = link.password_hash === null ? await sharedResource(call, link) : sharedSummary(call, link)
    return { message: 'Share link retrieved.', data }
  },
})

type ReadContext = Pick<Deps, 'secretBox' | 'config'> & { db: Db }

/** Returns everything the link shares. The caller must have checked the password, if there is one. */
export async function sharedResource(call: ReadContext, link: ShareLinkRow): Promise<Static<typeof Shared>> {
  const builds = await sharedBuildResources(call.db, await listSharedBuilds(call.db, link))
  if (link.release_id === null) return { ...sharedSummary(call, link), builds }
  const release = await requireRelease(call.db, link.application_id, link.release_id)
  const { title, notes } = release
  return { ...sharedSummary(call, link), title, version: versionResource(release).version, notes, builds }
}

/** Returns the fields that are available before the password is entered. */
const sharedSummary = (call: ReadContext, link: ShareLinkRow): Static<typeof Shared> => ({
  shareable_type: link.build_id === null ? 'release' : 'build',
  password_required: link.password_hash !== null,
  expires_at: link.expires_at,
  download_url: `${shareUrl(call, link.id)}/download`,
})
