import { Type, type Static } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { Nullable, SizeBytes } from '../../../http/endpoint/fields.ts'
import type { Download } from '../../../storage/driver.ts'
import type { MetadataArtifactRow } from '../artifacts/metadata-artifact.ts'
import { fileResource, type FileRow } from './file.ts'

type LinkOptions = Omit<Download, 'filename' | 'contentType'>

export const FileLink = Type.Object(
  {
    temp_url: Type.String({
      description:
        'Signed URL: works without an API key and supports GET, HEAD and up to 1,000 byte ranges. Redirects if the file is in S3.',
    }),
    filename: Type.String(),
    size_bytes: SizeBytes,
    checksum_md5: Nullable(Type.String()),
    checksum_sha256: Nullable(Type.String()),
    checksum_sha1: Nullable(Type.String()),
    checksum_sha512: Nullable(Type.String()),
  },
  { title: 'FileLink' },
)

/** Returns a signed link to one file. */
export const fileLink = (
  storage: Deps['storage'],
  file: FileRow & { object_key: string },
  options: LinkOptions,
) => signLink(storage, file, fileResource(file).filetype.mime_type, options)

/** Returns a signed link to a metadata artifact. */
export const metadataArtifactLink = (
  storage: Deps['storage'],
  artifact: MetadataArtifactRow & { object_key: string },
  options: LinkOptions,
) => signLink(storage, artifact, 'application/octet-stream', options)

async function signLink(
  storage: Deps['storage'],
  file: Omit<Static<typeof FileLink>, 'temp_url'> & { object_key: string },
  contentType: string,
  options: LinkOptions,
): Promise<Static<typeof FileLink>> {
  const { filename, size_bytes, checksum_md5, checksum_sha256, checksum_sha1, checksum_sha512 } = file
  const key = file.object_key
  const temp_url = await storage.signGet({ key }, { filename, contentType, ...options })
  return { temp_url, filename, size_bytes, checksum_md5, checksum_sha256, checksum_sha1, checksum_sha512 }
}
