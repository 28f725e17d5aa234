import { page, type PageCall, type PageResponse } from '../../http/pages/page.ts'
import { signInPath } from '../../http/wire/send-error.ts'
import { Problem } from '../../lib/problem.ts'
import { downloadLatestBuild, requireLatestBuild } from './download-latest-build.ts'
import {
  downloadFromPortal,
  downloadLatestPublicBuild,
  requireLatestPublicBuild,
} from './download-latest-public-build.ts'
import { downloadPublicReleaseBuild, requirePublicReleaseBuild } from './download-public-release-build.ts'
import { downloadReleaseBuild, requireReleaseBuild } from './download-release-build.ts'
import type { SelectedBuild } from './permalink.db.ts'
import { downloadWithKey, ReleasePermalinkParams, StreamPermalinkParams } from './permalink.ts'

const redirectTo = ({ location }: { location: string }): PageResponse => ({ location })

const forMembers = {
  method: 'GET',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  budget: 'downloads',
} as const

type Part = 'builds' | 'releases'

/** The list of builds is the first page of an application. */
const consolePath =
  (part: Part) =>
  ({ application_id = '' }: Record<string, string>): string =>
    `/applications/${encodeURIComponent(application_id)}${part === 'builds' ? '' : `/${part}`}`

/** Fills the parameters of a path. */
const publicPath =
  (path: string) =>
  (params: Record<string, string>): string =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/**
 * Loads what a visitor downloads. Returns undefined if no public portal shows it, and the session of the visitor has ended,
 * who may see it after signing in again.
 */
async function loadForVisitor<T>(
  { fields }: Pick<PageCall, 'fields'>,
  load: () => Promise<T>,
): Promise<{ found: T | undefined }> {
  try {
    return { found: await load() }
  } catch (error) {
    const isMissing = error instanceof Problem && error.kind === 'not_found'
    if (!isMissing || !fields.has('signed_out')) throw error
    return { found: undefined }
  }
}

type Visit = PageCall & { params: Record<string, string> }

const downloadOrSignIn = async (
  call: Visit,
  found: { build: SelectedBuild } | undefined,
  part: Part,
): Promise<PageResponse> =>
  found === undefined
    ? { location: `${call.config.publicUrl}${signInPath(consolePath(part)(call.params))}` }
    : redirectTo(await downloadFromPortal(call, found.build))

/** Downloads the newest build of a stream if a signed-in user opens its permalink. */
export const openLatestBuild = page({
  ...forMembers,
  path: downloadLatestBuild.path,
  params: StreamPermalinkParams,
  load: (call) => requireLatestBuild(call, call.fields.get('architecture')),
  handle: async ({ build, ...call }) => redirectTo(await downloadWithKey(call, build)),
  consolePath: consolePath('builds'),
  publicPath: publicPath(downloadLatestPublicBuild.path),
})

/** Downloads a build of a release if a signed-in user opens its permalink. */
export const openReleaseBuild = page({
  ...forMembers,
  path: downloadReleaseBuild.path,
  params: ReleasePermalinkParams,
  load: (call) => requireReleaseBuild(call, call.fields.get('architecture')),
  handle: async ({ build, ...call }) => redirectTo(await downloadWithKey(call, build)),
  consolePath: consolePath('releases'),
  publicPath: publicPath(downloadPublicReleaseBuild.path),
})

/** Downloads the newest build of a stream in a public portal if a visitor opens its permalink. */
export const openLatestPublicBuild = page({
  method: 'GET',
  path: downloadLatestPublicBuild.path,
  params: StreamPermalinkParams,
  load: (call) => loadForVisitor(call, () => requireLatestPublicBuild(call, call.fields.get('architecture'))),
  handle: ({ found, ...call }) => downloadOrSignIn(call, found, 'builds'),
})

/** Downloads a build of a release in a public portal if a visitor opens its permalink. */
export const openPublicReleaseBuild = page({
  method: 'GET',
  path: downloadPublicReleaseBuild.path,
  params: ReleasePermalinkParams,
  load: (call) =>
    loadForVisitor(call, () => requirePublicReleaseBuild(call, call.fields.get('architecture'))),
  handle: ({ found, ...call }) => downloadOrSignIn(call, found, 'releases'),
})
