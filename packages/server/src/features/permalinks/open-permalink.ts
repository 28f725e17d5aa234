import { page, type PageResponse } from '../../http/pages/page.ts'
import { downloadLatestBuild, requireLatestBuild } from './download-latest-build.ts'
import {
  downloadFromPortal,
  downloadLatestPublicBuild,
  requireLatestPublicBuild,
} from './download-latest-public-build.ts'
import { downloadPublicReleaseBuild, requirePublicReleaseBuild } from './download-public-release-build.ts'
import { downloadReleaseBuild, requireReleaseBuild } from './download-release-build.ts'
import { downloadWithKey, ReleasePermalinkParams, StreamPermalinkParams } from './permalink.ts'

const redirectTo = ({ location }: { location: string }): PageResponse => ({ location })

const forMembers = {
  method: 'GET',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  budget: 'downloads',
} as const

const consolePath =
  (part: string) =>
  ({ application_id = '' }: Record<string, string>): string =>
    `/applications/${encodeURIComponent(application_id)}/${part}`

/** Downloads the newest build of a stream if a signed-in user opens its permalink. */
export const openLatestBuild = page({
  ...forMembers,
  path: downloadLatestBuild.path,
  params: StreamPermalinkParams,
  load: (call) => requireLatestBuild(call, call.fields.get('architecture')),
  handle: async ({ build, ...call }) => redirectTo(await downloadWithKey(call, build)),
  consolePath: consolePath('builds'),
})

/** Downloads a build of a release if a signed-in user opens its permalink. */
export const openReleaseBuild = page({
  ...forMembers,
  path: downloadReleaseBuild.path,
  params: ReleasePermalinkParams,
  load: (call) => requireReleaseBuild(call, call.fields.get('architecture')),
  handle: async ({ build, ...call }) => redirectTo(await downloadWithKey(call, build)),
  consolePath: consolePath('releases'),
})

/** Downloads the newest build of a stream in a public portal if a visitor opens its permalink. */
export const openLatestPublicBuild = page({
  method: 'GET',
  path: downloadLatestPublicBuild.path,
  params: StreamPermalinkParams,
  load: (call) => requireLatestPublicBuild(call, call.fields.get('architecture')),
  handle: async ({ build, ...call }) => redirectTo(await downloadFromPortal(call, build)),
})

/** Downloads a build of a release in a public portal if a visitor opens its permalink. */
export const openPublicReleaseBuild = page({
  method: 'GET',
  path: downloadPublicReleaseBuild.path,
  params: ReleasePermalinkParams,
  load: (call) => requirePublicReleaseBuild(call, call.fields.get('architecture')),
  handle: async ({ build, ...call }) => redirectTo(await downloadFromPortal(call, build)),
})
