import { Type, type Static } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { Nullable, SizeBytes } from './fields.ts'

/**
 * The result of an endpoint with status 302. `location` is absent if the client must not follow the redirect, as for
 * HEAD.
 */
export const Redirect = Type.Object(
  {
    message: Type.String(),
    location: Type.Optional(Type.String({ description: 'Same as the `Location` header.' })),
  },
  { title: 'Redirect' },
)

/**
 * A redirect to a file that is not part of the request, such as the latest one. The response has an ETag that stays the
 * same as long as it leads to the same file.
 */
export const FileRedirect = Type.Object(
  {
    ...Redirect.properties,
    file_id: Type.String(),
    filename: Type.String(),
    size_bytes: SizeBytes,
    checksum_sha256: Nullable(
      Type.String({ description: 'Also the `ETag`. `null` until the server has computed it.' }),
    ),
  },
  { title: 'FileRedirect' },
)

export const isFileRedirect = ({ returns }: Pick<Endpoint, 'returns'>): boolean => returns === FileRedirect

/** What every redirect to a file says. */
export const followLocation = 'Follow the `Location` header to download the file.'

/** Returns the entity tag of a redirect. Files never change, so the ID identifies the content until the checksum is known. */
export const fileTag = ({
  checksum_sha256,
  file_id,
}: {
  checksum_sha256: string | null
  file_id: string
}): string => `"${checksum_sha256 ?? file_id}"`

/**
 * Returns headers that prevent caching and that keep the source URL, which may contain a secret, out of the Referer
 * header.
 */
export function redirectHeaders(endpoint: Endpoint, result: unknown): Record<string, string> {
  const { location } = result as Static<typeof Redirect>
  const isTagged = isFileRedirect(endpoint)
  return {
    'cache-control': isTagged ? 'no-cache, private' : 'no-store',
    ...(isTagged ? { etag: fileTag(result as Static<typeof FileRedirect>) } : {}),
    'referrer-policy': 'no-referrer',
    ...(location === undefined ? {} : { location }),
  }
}
