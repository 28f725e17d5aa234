import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { maxPutUrlSeconds } from '../../storage/driver.ts'
import type { PendingFile } from './pending-upload.db.ts'
import { maxPutBytes } from './upload-request.ts'

export const presignedData = (description: string, options: { deprecated?: true } = {}) =>
  Nullable(
    Type.Object(
      {
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String(), {
          description: 'Headers to send with the PUT request.',
        }),
      },
      { description, ...options },
    ),
  )

export const FileToSend = Type.Object(
  {
    filename: Type.String(),
    presigned_data: presignedData(
      'Signed URL for uploading the whole file with a single PUT; `null` above 5 GiB.',
    ),
    chunked_upload: Type.Boolean({ description: 'Whether uploading in parts is recommended.' }),
    chunked_number_parts: Nullable(Type.Integer()),
    chunked_part_size_mb: Nullable(Type.Integer({ description: 'Part size in MiB.' })),
  },
  { title: 'FileToSend' },
)

/** Returns the number of bytes that the client sends. */
export const bytesToSend = ({
  size_bytes,
  new_bytes,
}: Pick<PendingFile, 'size_bytes' | 'new_bytes'>): number => new_bytes ?? size_bytes

/** Returns how the client sends a file, or the new bytes of one that is composed. */
export async function toFileToSend(
  storage: Deps['storage'],
  actor: Actor,
  file: Omit<PendingFile, 'multipart_id' | 'chosen_parts'>,
): Promise<Static<typeof FileToSend>> {
  const { object_key: key, filename, content_type: contentType } = file
  const sizeBytes = bytesToSend(file)
  const options = { expiresInSeconds: maxPutUrlSeconds, callerId: actor.id ?? '' }
  return {
    filename,
    presigned_data:
      sizeBytes > maxPutBytes || sizeBytes === 0
        ? null
        : await storage.signPut({ key, sizeBytes, filename, contentType }, options),
    chunked_upload: file.number_of_parts !== null,
    chunked_number_parts: file.number_of_parts,
    chunked_part_size_mb: file.part_size_mb,
  }
}
