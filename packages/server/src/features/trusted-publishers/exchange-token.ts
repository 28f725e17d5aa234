import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Timestamp } from '../../http/fields.ts'
import { issuePublisherKey } from './issue-publisher-key.ts'
import { isSignedByOne, mostTokenLength, readToken } from './token.ts'
import { ambiguous, notTrusted, requireTrusting } from './trust.ts'
import { listRulesOfIssuer } from './trusted-publisher.db.ts'

const mostRulesLookedAt = 1000

export const exchangeToken = endpoint({
  method: 'POST',
  path: '/auth/oidc/token',
  scope: 'public',
  summary: 'Exchange an OIDC token of a CI system for a key that lives 15 minutes',
  description:
    'No key is needed: the token is the proof. Its issuer, audience and claims must fit a trusted publisher of the ' +
    'application; where several of one application fit, the key has the scopes of all. A token is good for ten keys ' +
    'while it is valid, so that a job can try again and can go on after 15 minutes. Always send application_id: without it ' +
    'the token must fit one application only, and anybody could make a second that trusts it.',
  body: Type.Object({
    token: Type.String({
      minLength: 1,
      maxLength: mostTokenLength,
      description: 'The JSON Web Token, signed with RS256, ES256 or EdDSA.',
    }),
    application_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Which application you mean.' }),
    ),
  }),
  status: 201,
  refuses: [401, 403],
  returns: one(
    Type.Object({
      key: Type.String({ description: 'An application key, shown this once: mask it in logs.' }),
      expires_at: Timestamp,
      scopes: Type.Array(Type.String()),
      application_id: Type.String(),
    }),
  ),
  async handle({ body, ...call }) {
    const { db, clock, issuerKeys } = call
    const now = clock.now()
    const token = readToken(body.token, now)
    const { application_id: applicationId } = body
    const wanted = { issuer: token.issuer, applicationId, most: mostRulesLookedAt + 1 }
    const rules = await listRulesOfIssuer(db, wanted)
    if (rules.length === 0) throw notTrusted(token.claims, applicationId)
    if (rules.length > mostRulesLookedAt) throw ambiguous()
    const keys = await issuerKeys.list(token.issuer, token)
    if (!(await isSignedByOne(token, keys, now))) throw notTrusted(token.claims, applicationId)
    const found = requireTrusting(rules, token.claims, applicationId)
    return { message: 'API key created.', data: await issuePublisherKey(call, token, found.applicationId) }
  },
})
