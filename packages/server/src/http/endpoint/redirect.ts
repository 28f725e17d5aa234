import { Type, type Static } from 'typebox'

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
 * Returns headers that prevent caching and that keep the source URL, which may contain a secret, out of the Referer
 * header.
 */
export function redirectHeaders(result: unknown): Record<string, string> {
  const { location } = result as Static<typeof Redirect>
  return {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(location === undefined ? {} : { location }),
  }
}
