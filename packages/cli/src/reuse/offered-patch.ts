import { QuaysideError } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'

/** A patch that the server offers. */
export type OfferedPatch = { sizeBytes: number; sha256: string; url: string }

/** Looks for a patch from a file with a SHA-256. Returns undefined if there is none. */
export type FindPatch = (fromSha256: string) => Promise<OfferedPatch | undefined>

type Link = { patches_url?: string | null }

/** Looks for a patch at the URL of a download link, which servers without patches do not send. */
export async function findPatchOf(
  { client, signal }: { client: QuaysideClient; signal: AbortSignal },
  link: Link | undefined,
  from: string,
): Promise<OfferedPatch | undefined> {
  const token = link?.patches_url?.split('/').at(-1)
  if (token === undefined) return undefined
  try {
    const { data } = await client.findPublicPatches({ patch_token: token, from }, { signal })
    const found = data.find(({ source_sha256: source }) => source === from)
    return found && { sizeBytes: found.size_bytes, sha256: found.checksum_sha256, url: found.temp_url }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof QuaysideError) return undefined
    throw error
  }
}
