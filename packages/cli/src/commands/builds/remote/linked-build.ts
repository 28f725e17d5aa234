import { createClient, QuaysideError } from '@quayside/sdk'
import type { CreateLinkDownloadResponse, QuaysideClient, Shared } from '@quayside/sdk'
import type { CommandContext } from '../../../command-context.ts'
import { createConnection } from '../../../connection.ts'
import type { Connection } from '../../../connection.ts'
import { Failure } from '../../../failure.ts'
import { fetchChunkIndex } from '../../../reuse/fetch-index.ts'
import { findPatchOf } from '../../../reuse/offered-patch.ts'
import { ReuseError } from '../../../reuse/reuse-context.ts'
import { askLine, readStandardInput } from '../../../standard-input.ts'
import type { FileLink, RemoteBuild, SelectionOptions } from './remote-build.ts'

/** What the pages of share links and of group links have in common. */
type LinkedBuilds = Pick<Shared, 'builds'> & { download_url: string; password_required?: boolean }
type Downloads = Pick<CreateLinkDownloadResponse, 'primary_file' | 'expansion_files' | 'resume'>

type Link = {
  client: QuaysideClient
  kind: 'share-links' | 'group-links'
  id: string
  token: string
}

const programPath = /\/api\/v1\/public\/(share-links|group-links)\/([^/]+)\/([^/]+)\/download$/

/** Returns the build behind a share link, or behind the link in an email to a distribution group. */
export async function openLinkedBuild(
  context: CommandContext,
  address: string,
  options: SelectionOptions,
): Promise<RemoteBuild> {
  if (options.stream !== undefined)
    throw new Failure('usage', 'A link has no streams. Use --platform to select a build.')
  const connection = createConnection(
    new URL(address).origin,
    context.output,
    context.runtime.firstResponseMs,
  )
  const page = await openPage(context, connection, address)
  const link = linkOf(createClient(connection), page.download_url)
  const { signal } = context
  const grant =
    page.password_required === true ? await unlock(context, link, options.passwordStdin) : undefined
  const build = selectBuild(grant?.shared.builds ?? page.builds ?? [], options.platform)
  let links: FileLink[] = []
  let resume: string | undefined
  return {
    id: build.id,
    async fetchLinks() {
      const created = await createDownload(link, signal, {
        build_id: build.id,
        ...(grant !== undefined && { grant: grant.grant }),
        ...(resume !== undefined && { resume }),
      })
      resume = created.resume ?? resume
      links = [created.primary_file, ...(created.expansion_files ?? [])]
      return links
    },
    findPatch: (position, from) => findPatchOf({ client: link.client, signal }, links[position], from),
    async fetchIndex(position) {
      const { chunks_url: url = null, size_bytes: sizeBytes = 0 } = links[position] ?? {}
      if (url === null) throw new ReuseError('The server has no chunk index of it, or not yet.')
      return fetchChunkIndex(context, url, sizeBytes)
    },
  }
}

/** Returns what a link shares. The short form of a link is known only to its server. */
async function openPage(
  { signal }: CommandContext,
  connection: Connection,
  address: string,
): Promise<LinkedBuilds> {
  const { origin, pathname } = new URL(address)
  const response = await connection.fetch(`${origin}${pathname.replace(/\/+$/, '')}`, {
    headers: { accept: 'application/json', 'user-agent': connection.userAgent },
    signal,
  })
  connection.onResponse(response)
  const body = (await response.json().catch(() => undefined)) as
    | { data?: LinkedBuilds; message?: string; code?: string }
    | undefined
  if (response.ok && typeof body?.data?.download_url === 'string') return body.data
  if (response.ok || response.status === 404 || body?.message === undefined)
    throw new Failure('failed', `${address} leads to no build. Check that the link is complete.`)
  throw new QuaysideError(response.status, body.message, body.code === undefined ? {} : { code: body.code })
}

function linkOf(client: QuaysideClient, downloadUrl: string): Link {
  const [, kind = '', id = '', token = ''] = programPath.exec(new URL(downloadUrl).pathname) ?? []
  if (kind !== 'share-links' && kind !== 'group-links')
    throw new Failure('failed', 'The link cannot be used from the command line. Open it in a browser.')
  return { client, kind, id, token }
}

/** Exchanges the password of a share link for a grant. */
async function unlock(context: CommandContext, { client, id, token }: Link, isPiped = false) {
  if (!isPiped && context.runtime.stdin.isTTY !== true)
    throw new Failure('usage', 'The link has a password. Pass it on standard input with --password-stdin.')
  const password = isPiped
    ? (await readStandardInput(context, '--password-stdin')).replace(/\r?\n$/, '')
    : await askLine(context, 'Password of the link: ', { isSecret: true })
  const { data } = await client.createShareGrant(
    { share_link_id: id, share_token: token, body: { password } },
    { signal: context.signal },
  )
  return data
}

type LinkedBuild = NonNullable<Shared['builds']>[number]

function selectBuild(builds: readonly LinkedBuild[], platform: string | undefined): LinkedBuild {
  const matching = builds.filter((build) => platform === undefined || build.platform.identifier === platform)
  const [build, ...others] = matching
  const platforms = [...new Set(builds.map((one) => one.platform.identifier))].join(', ')
  if (build === undefined)
    throw new Failure('failed', `The link shares no build for ${platform}, only for ${platforms || 'none'}.`)
  if (others.length > 0 && platform === undefined)
    throw new Failure(
      'usage',
      `The link shares ${builds.length} builds. Select one with --platform: ${platforms}.`,
    )
  return build
}

type Selection = { build_id: string; grant?: string; resume?: string }

function createDownload(
  { client, kind, id, token }: Link,
  signal: AbortSignal,
  { build_id, ...selection }: Selection,
): Promise<Downloads> {
  return kind === 'share-links'
    ? client.createLinkDownload(
        { share_link_id: id, share_token: token, body: { build_id, ...selection } },
        { signal },
      )
    : client.createGroupDownload(
        { group_link_id: id, group_link_token: token, body: { build_id } },
        { signal },
      )
}
