import type { CreateLinkDownloadResponse } from '@quayside/sdk'
import type { CommandContext } from '../../../command-context.ts'
import { withNotFoundMessage } from '../../../failure.ts'
import { requireApplicationId } from '../../../require-application-id.ts'
import { fetchChunkIndex, requestIndexUrl } from '../../../reuse/fetch-index.ts'
import type { FetchedIndex } from '../../../reuse/fetch-index.ts'
import { findPatchOf } from '../../../reuse/offered-patch.ts'
import type { OfferedPatch } from '../../../reuse/offered-patch.ts'
import { ReuseError } from '../../../reuse/reuse-context.ts'
import { buildNotFound } from '../format-build.ts'
import { requireBuildId } from '../select-build.ts'
import type { LatestOptions } from '../select-build.ts'

export type FileLink = CreateLinkDownloadResponse['primary_file']

/** A build whose files can be downloaded, in an application or behind a link. */
export type RemoteBuild = {
  id: string
  /** Requests URLs of the files, starting with the primary file. */
  fetchLinks: () => Promise<FileLink[]>
  /** Fetches the chunk index of the file at a position. Throws `ReuseError` if there is none. */
  fetchIndex: (position: number) => Promise<FetchedIndex>
  /** Looks for a patch to the file at a position, whose URL was requested before. */
  findPatch: (position: number, fromSha256: string) => Promise<OfferedPatch | undefined>
}

export type SelectionOptions = LatestOptions & { passwordStdin?: boolean }

/** Returns the selected build: one of the application, by ID or `latest`, or the one behind a link. */
export async function openRemoteBuild(
  context: CommandContext,
  selected: string,
  options: SelectionOptions,
): Promise<RemoteBuild> {
  if (/^https?:\/\//i.test(selected)) {
    const { openLinkedBuild } = await import('./linked-build.ts')
    return openLinkedBuild(context, selected, options)
  }
  const applicationId = await requireApplicationId(context)
  return buildOfApplication(
    context,
    applicationId,
    await requireBuildId(context, applicationId, selected, options),
  )
}

/** Returns a build of an application. */
export function buildOfApplication(
  context: CommandContext,
  application_id: string,
  build_id: string,
): RemoteBuild {
  const client = context.client()
  const { signal } = context
  const params = { application_id, build_id }
  let files: FileLink[] = []
  return {
    id: build_id,
    async fetchLinks() {
      const links = await withNotFoundMessage(
        client.getBuildDownload(params, { signal }),
        buildNotFound(build_id),
      )
      files = [links.primary_file, ...(links.expansion_files ?? [])]
      return files
    },
    findPatch: (position, from) => findPatchOf({ client, signal }, files[position], from),
    async fetchIndex(position) {
      const { data: build } = await client.getBuild(params, { signal })
      const file = [build.primary_file, ...build.expansion_files][position]
      if (file === undefined) throw new ReuseError('The server has no chunk index of it.')
      const url = await requestIndexUrl({ client, signal }, { ...params, file_id: file.id })
      return fetchChunkIndex(context, url, file.size_bytes)
    },
  }
}
