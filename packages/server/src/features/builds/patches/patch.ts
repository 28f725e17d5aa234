import { Type, type Static } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { SizeBytes } from '../../../http/endpoint/fields.ts'
import { uuidSource } from '../../../lib/ids.ts'
import type { PatchRow } from './patch.db.ts'

export const FilePatch = Type.Object(
  {
    source_sha256: Type.String({
      description: 'SHA-256 of the earlier file from which the patch restores the file.',
    }),
    source_size_bytes: SizeBytes,
    size_bytes: SizeBytes,
    checksum_sha256: Type.String({ description: 'SHA-256 of the patch.' }),
    temp_url: Type.String({ description: 'Signed URL of the patch, which supports `Range`.' }),
  },
  { title: 'FilePatch' },
)

export const patchQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the file that the client has.',
      examples: ['0'.repeat(64)],
    }),
  ),
})

/** Returns patches with signed URLs. */
export const patchResources = (
  storage: Deps['storage'],
  patches: readonly PatchRow[],
  expiresInSeconds: number,
): Promise<Static<typeof FilePatch>[]> =>
  Promise.all(
    patches.map(async ({ source_file_id, object_key: key, ...patch }) => ({
      ...patch,
      temp_url: await storage.signGet(
        { key },
        { filename: `${source_file_id}.patch`, contentType: 'application/octet-stream', expiresInSeconds },
      ),
    })),
  )

type Signing = Pick<Deps, 'secretBox' | 'clock'>

const purpose = 'file patches v1'
const format = new RegExp(`^(\\d{1,12})\\.(${uuidSource})\\.(.+)$`, 's')
const signedText = (fileId: string, expires: number): string => JSON.stringify([fileId, expires])

/** Returns a URL at which everyone can look for a patch to a file. */
export function signPatchesUrl(
  { secretBox, clock, config }: Signing & Pick<Deps, 'config'>,
  fileId: string,
  expiresInSeconds: number,
): string {
  const expires = Math.ceil(clock.now().getTime() / 1000) + expiresInSeconds
  const token = `${expires}.${fileId}.${secretBox.token(purpose, signedText(fileId, expires))}`
  return `${config.publicUrl}/api/v1/public/patches/${token}`
}

/** Returns the ID of the file of a token and its remaining time, or undefined if the token is invalid or has expired. */
export function openPatchToken(
  { secretBox, clock }: Signing,
  token: string,
): { fileId: string; leftSeconds: number } | undefined {
  const [, expires = '', fileId = '', signature = ''] = format.exec(token) ?? []
  if (!secretBox.isToken(signature, purpose, signedText(fileId, Number(expires)))) return undefined
  const leftSeconds = Math.floor(Number(expires) - clock.now().getTime() / 1000)
  return leftSeconds > 0 ? { fileId, leftSeconds } : undefined
}
