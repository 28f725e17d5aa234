import { filetypeResource } from '../../../catalog/filetypes.ts'
import type { Deps } from '../../../deps.ts'
import { isUnchanged } from '../../../http/endpoint/conditional.ts'
import type { Call } from '../../../http/endpoint/endpoint.ts'
import { fileTag } from '../../../http/endpoint/redirect.ts'
import { problem } from '../../../lib/problem.ts'
import { insertDownloads } from '../../builds/files/download.db.ts'
import {
  chargePublicDownload,
  downloadAttributes,
  publicLinkLifeSeconds,
  recordIfPossible,
  redirectOptions,
  withDownloadTransaction,
} from '../../builds/files/download.ts'
import type { PublishedFile } from '../adapters/adapter.ts'
import { countKeyDownload } from '../read-keys/channel-read-key.db.ts'
import type { ChannelState } from './publication.db.ts'
import type { PublicationKey } from './publication.ts'

type Requested = {
  state: Pick<ChannelState, 'id' | 'application_id' | 'workspace_id'>
  key: PublicationKey | undefined
  file: PublishedFile
}

type DownloadCall = Pick<Deps, 'db' | 'storage' | 'log' | 'publicDownloads'> &
  Pick<Call, 'address' | 'network' | 'userAgent' | 'isHead' | 'range' | 'ifNoneMatch'>

const limitReached = problem(
  'gone',
  'channel.download_limit_reached',
  'The download limit of this read key is reached. Ask its issuer for another one.',
)

/**
 * Returns the redirect to the signed URL of a file, which supports ranges on every store, and records a download of a
 * complete file.
 */
export async function redirectToFile(call: DownloadCall, { state, key, file }: Requested) {
  const etag = fileTag({ checksum_sha256: file.sha256, file_id: file.id })
  const headers = {
    etag,
    'cache-control': 'no-cache, private',
    // The URL may contain a read key.
    'referrer-policy': 'no-referrer',
  }
  if (isUnchanged(call.ifNoneMatch, etag)) return { status: 304, headers, isDownload: false }
  const isDownload = isCompleteFile(call, file)
  if (isDownload) {
    chargePublicDownload(call, state.id)
    await recordDownload(call, { state, key, file })
  }
  const location = await call.storage.signGet(
    { key: file.objectKey },
    {
      filename: file.filename,
      contentType:
        file.filetype === null ? 'application/octet-stream' : filetypeResource(file.filetype).mime_type,
      expiresInSeconds: publicLinkLifeSeconds,
      ...redirectOptions(call),
    },
  )
  return { status: 302, headers: { ...headers, location }, isDownload }
}

/** Signatures, block maps and parts of a file that a client compares are not downloads. */
const isCompleteFile = ({ isHead, range }: DownloadCall, { kind }: PublishedFile): boolean =>
  !isHead && kind === 'file' && (range === undefined || /^bytes=0-/i.test(range))

async function recordDownload(call: DownloadCall, { state, key, file }: Requested): Promise<void> {
  const build = { id: file.build.id, application_id: state.application_id, workspace_id: state.workspace_id }
  const record = async () =>
    withDownloadTransaction(call.db, async (tx) => {
      if (key !== undefined && !(await countKeyDownload(tx, key.id)) && key.isLimited) throw limitReached()
      await insertDownloads(tx, [{ ...downloadAttributes(call, build), channel: 'feed', file_id: file.id }])
    })
  const isRecorded = await recordIfPossible(call, record)
  // A limit holds although the disk of the database is full.
  if (!isRecorded && key?.isLimited === true) throw limitReached()
}
