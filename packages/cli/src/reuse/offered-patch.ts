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
    const { data } = await client.getPublicPatch({ patch_token: token, from }, { signal })
    if (data?.source_sha256 !== from) return undefined
    return { sizeBytes: data.size_bytes, sha256: data.checksum_sha256, url: data.temp_url }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof QuaysideError) return undefined
    throw error
  }
}
