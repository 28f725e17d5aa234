import { Type, type Static } from 'typebox'

/** What an endpoint with status 302 answers; without a location where nobody may follow, as after HEAD. */
export const Redirect = Type.Object(
  {
    message: Type.String(),
    location: Type.Optional(Type.String({ description: 'The same as in the Location header.' })),
  },
  { title: 'Redirect' },
)

/** A redirect holds for this one call; whoever follows it does not tell where from, for that URL may hold a secret. */
export function redirectHeaders(answer: unknown): Record<string, string> {
  const { location } = answer as Static<typeof Redirect>
  return {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(location === undefined ? {} : { location }),
  }
}
