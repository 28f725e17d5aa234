import { Type } from 'typebox'
import type { Actor } from '../../../http/endpoint/actor.ts'
import { ApplicationId, BuildId } from '../../../http/endpoint/fields.ts'
import { page, type PageCall, type PageResponse } from '../../../http/pages/page.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { recordKeyDownload, requireFileLink } from './download.ts'

const definition = {
  method: 'GET',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  budget: 'downloads',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  load: requireBuildOfPath,
  consolePath: ({ application_id = '', build_id = '' }: Record<string, string>) =>
    `/applications/${encodeURIComponent(application_id)}/builds/${encodeURIComponent(build_id)}`,
} as const

/** Downloads the primary file if a signed-in user opens the `download_url` of a build. */
export const openBuildDownload = page({
  ...definition,
  path: '/applications/:application_id/builds/:build_id/download',
  handle: (call) => downloadFile(call, undefined),
})

/** Downloads a file of a build if a signed-in user opens its URL. */
export const openBuildFile = page({
  ...definition,
  path: '/applications/:application_id/builds/:build_id/file',
  handle: (call) => downloadFile(call, call.fields.get('file_id')),
})

async function downloadFile(
  { build, ...call }: PageCall & { actor: Actor } & Awaited<ReturnType<typeof requireBuildOfPath>>,
  fileId: string | undefined,
): Promise<PageResponse> {
  const { file_id, location } = await requireFileLink(call, build.id, { fileId })
  await recordKeyDownload(call, build, { file_id })
  return { location }
}
