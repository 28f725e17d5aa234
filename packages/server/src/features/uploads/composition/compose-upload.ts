import { Type, type Static } from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { endpoint, type Call } from '../../../http/endpoint/endpoint.ts'
import { PathId, SizeBytes } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { invalid } from '../../../http/endpoint/validation.ts'
import { problem } from '../../../lib/problem.ts'
import { storeIdOf } from '../../../storage/custom/store-key.ts'
import { createComposition, sourceKeys, type Composition } from '../../../storage/objects/composition.ts'
import { lockSources, replaceUploadSources } from '../../../storage/objects/object-sources.db.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { listSourceFiles } from '../../builds/files/file.db.ts'
import { FileToSend, toFileToSend } from '../file-to-send.ts'
import {
  beingVerified,
  requireAlive,
  requirePendingUpload,
  uploadAborted,
  uploadExpired,
  type PendingFile,
  type PendingUpload,
} from '../pending-upload.db.ts'
import { recommendParts } from '../recommend-parts.ts'
import { maxFileBytes } from '../upload-request.ts'
import { saveComposition } from './composition.db.ts'
import { reuseUnavailable } from './composition.ts'

/** Fits into the size limit of a request body. */
const maxRanges = 10_000
/** Limits the manifests that a request reads. */
const maxSourceFiles = 10
/** Limits the size of a manifest, which is read with each download of a range. */
const maxStoredRanges = 50_000

const FileRange = Type.Object(
  {
    file_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'ID of a file of a build of the same application, from which the bytes are taken. Without it, the client sends them.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxFileBytes,
        default: 0,
        description: 'Offset in the file `file_id`.',
      }),
    ),
    size_bytes: Type.Integer({ minimum: 1, maximum: maxFileBytes }),
  },
  { title: 'FileRange', additionalProperties: false },
)

const CompositionRequest = Type.Object(
  {
    role: Type.Optional(
      Type.Enum(['primary', 'expansion'], { default: 'primary', description: 'Which file of the upload.' }),
    ),
    checksum_sha256: Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      description: 'SHA-256 of the complete file, which the server compares with the bytes that it composes.',
    }),
    ranges: Type.Array(FileRange, {
      minItems: 1,
      maxItems: maxRanges,
      description: `The content of the file in order, at most ${maxRanges} ranges of at most ${maxSourceFiles} files. The sizes must add up to the size of the file.`,
    }),
  },
  {
    title: 'CompositionRequest',
    examples: [
      {
        checksum_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        ranges: [{ file_id: '<file_id>', offset: 0, size_bytes: 600 }, { size_bytes: 400 }],
      },
    ],
  },
)
type CompositionRequest = Static<typeof CompositionRequest>

const partsStored = problem(
  'conflict',
  'composition.parts_stored',
  'Parts of "{filename}" are already stored. Request a new upload to reuse bytes.',
)

const tooFragmented = problem(
  'conflict',
  'composition.too_fragmented',
  `The file would consist of more than ${maxStoredRanges} ranges of stored files. Reuse fewer and longer ranges, or send the whole file.`,
)

const acceptsNoComposition = problem(
  'bad_request',
  'upload.verified',
  'This upload has been verified. Request a new one.',
)

const noSuchFile = problem('bad_request', 'upload.no_such_file', 'This upload has no {role} build file.')

export const composeUpload = endpoint({
  method: 'PUT',
  path: '/upload/:pending_upload_id/composition',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Reuse bytes of other builds',
  description:
    'Describes which ranges of a file are taken from files that the key can download, so that the client sends only the others: the new bytes, concatenated in order, as one PUT or in parts. Verify compares the complete file with `checksum_sha256`. Call this before anything of the file is sent; repeating the call replaces the ranges.',
  params: Type.Object({ pending_upload_id: PathId('ID of the upload.') }),
  body: CompositionRequest,
  budget: 'uploads',
  refuses: [
    acceptsNoComposition,
    beingVerified,
    noSuchFile,
    partsStored,
    reuseUnavailable,
    tooFragmented,
    uploadAborted,
    uploadExpired,
    ...storageProblems,
  ],
  returns: one(
    Type.Object(
      { ...FileToSend.properties, new_bytes: SizeBytes, reused_bytes: SizeBytes },
      { title: 'ComposedFile' },
    ),
  ),
  async load({ db, actor, params }) {
    return { upload: await requirePendingUpload(db, actor, params.pending_upload_id) }
  },
  async handle(call) {
    const { db, actor, body, storage, config, upload } = call
    const file = requireComposable(upload, body.role ?? 'primary')
    requireSizes(body.ranges, file.size_bytes)
    if (!(await storage.canCompose(file.object_key))) throw reuseUnavailable()
    if ((await storage.listStaged(file.object_key, file.multipart_id ?? '')).length > 0)
      throw partsStored({ filename: file.filename })
    const { composition, newBytes } = await resolveRanges(call, upload, file)
    const parts = newBytes === 0 ? null : recommendParts({ ...file, size_bytes: newBytes }, config)
    await inTransaction(db, async (tx) => {
      const keys = sourceKeys(composition)
      const locked = await lockSources(tx, keys)
      if (keys.some((key) => !locked.has(key))) throw unknownSource(body.ranges.findIndex(isReused))
      const saved = { ...composition, checksumSha256: body.checksum_sha256.toLowerCase(), newBytes, parts }
      const isSaved = await saveComposition(tx, { uploadId: upload.id, fileId: file.id }, saved)
      if (!isSaved) throw beingVerified()
      await replaceUploadSources(tx, file.id, keys)
    })
    const composed = {
      ...file,
      new_bytes: newBytes,
      number_of_parts: parts?.numberOfParts ?? null,
      part_size_mb: parts?.partSizeMb ?? null,
    }
    return {
      message: 'Composition accepted.',
      data: {
        ...(await toFileToSend(storage, actor, composed)),
        new_bytes: newBytes,
        reused_bytes: file.size_bytes - newBytes,
      },
    }
  },
})

/** Returns the file of an upload to which nothing was sent yet. */
function requireComposable(upload: PendingUpload, role: PendingFile['role']): PendingFile {
  requireAlive(upload)
  if (upload.state === 'verified') throw acceptsNoComposition()
  if (upload.state === 'verifying') throw beingVerified()
  const file = upload.files.find((candidate) => candidate.role === role)
  if (upload.kind !== 'build' || file === undefined) throw noSuchFile({ role })
  return file
}

type FileRange = Static<typeof FileRange>

const isReused = ({ file_id }: FileRange): boolean => file_id !== undefined

function requireSizes(ranges: readonly FileRange[], fileBytes: number): void {
  const unused = ranges.findIndex(({ file_id, offset }) => file_id === undefined && offset !== undefined)
  if (unused !== -1) throw invalid({ [`ranges.${unused}.offset`]: ['must not be set without `file_id`.'] })
  const sum = ranges.reduce((total, { size_bytes }) => total + size_bytes, 0)
  if (sum !== fileBytes)
    throw invalid({ ranges: [`must add up to the size of the file, ${fileBytes} bytes, not to ${sum}.`] })
}

/** The same error for files that do not exist, that the key cannot read, and that do not contain the range. */
const unknownSource = (index: number) =>
  invalid({
    [`ranges.${index}.file_id`]: [
      'must be a file of a build of this application that is in the same store and contains the range.',
    ],
  })

/** Returns the composition whose ranges refer to the files that contain the bytes. */
async function resolveRanges(
  { db, body }: Call & { body: CompositionRequest },
  upload: PendingUpload,
  file: PendingFile,
): Promise<{ composition: Composition; newBytes: number }> {
  const ids = [...new Set(body.ranges.flatMap(({ file_id }) => file_id ?? []))]
  if (ids.length > maxSourceFiles)
    throw invalid({ ranges: [`must refer to at most ${maxSourceFiles} files.`] })
  const sources = await listSourceFiles(db, upload.application_id, ids)
  const composition = createComposition()
  for (const [index, { file_id, offset = 0, size_bytes: sizeBytes }] of body.ranges.entries()) {
    if (file_id === undefined) {
      composition.addNew(sizeBytes)
      continue
    }
    const source = sources.get(file_id)
    if (source === undefined || offset + sizeBytes > source.sizeBytes) throw unknownSource(index)
    if (storeIdOf(source.key) !== storeIdOf(file.object_key)) throw unknownSource(index)
    composition.addStored(source, offset, sizeBytes)
    if (composition.rangeCount() > maxStoredRanges) throw tooFragmented()
  }
  return { composition: composition.finish(), newBytes: composition.newSize() }
}
