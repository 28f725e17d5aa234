import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Timestamp } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { issuerProblems } from '../../net/issuer-discovery.ts'
import { issuePublisherKey, tokenExhausted } from './issue-publisher-key.ts'
import { isSignedByAny, maxTokenLength, readToken, tokenProblems } from './token.ts'
import { notTrusted, requireTrustingApplication, trustProblems } from './trust.ts'
import { isTrustedIssuer } from './trusted-publisher.db.ts'

export const exchangeToken = endpoint({
  method: 'POST',
  path: '/auth/oidc/token',
  scope: 'public',
  summary: 'Exchange an OIDC token',
  description:
    'Returns an application key that expires after 15 minutes. The request needs no API key: the token ' +
    'authenticates it. The issuer, audience and claims of the token must match a trusted publisher of the ' +
    'application; if several match, the key has the scopes of all of them. A valid token can be exchanged ' +
    'up to ten times, so that a job can retry or run for longer than 15 minutes. Always send ' +
    '`application_id`. Without it, the exchange fails if a second application trusts the token, and anyone ' +
    'who can create applications can add one.',
  body: Type.Object({
    token: Type.String({
      minLength: 1,
      maxLength: maxTokenLength,
      description: 'A JSON Web Token signed with RS256, ES256 or EdDSA.',
    }),
    application_id: Type.Optional(Type.String({ maxLength: 255, description: 'ID of the application.' })),
  }),
  status: 201,
  refuses: [...tokenProblems, ...trustProblems, tokenExhausted, ...issuerProblems],
  returns: one(
    Type.Object({
      key: Type.String({ description: 'The application key. It is shown only once; mask it in logs.' }),
      expires_at: Timestamp,
      scopes: Type.Array(Type.String()),
      application_id: Type.String(),
    }),
  ),
  async handle({ body, ...call }) {
    const { db, clock, issuerKeys } = call
    const now = clock.now()
    const token = await readToken(body.token, now)
    const { application_id: applicationId } = body
    if (!(await isTrustedIssuer(db, token.issuer, applicationId)))
      throw notTrusted(token.claims, applicationId)
    // Rules are read only after the signature is verified, because anyone can send a token that names a trusted issuer.
    const keys = await issuerKeys.list(token.issuer, token)
    if (!(await isSignedByAny(token, keys, now))) throw notTrusted(token.claims, applicationId)
    const id = applicationId ?? (await requireTrustingApplication(db, token))
    return { message: 'API key created.', data: await issuePublisherKey(call, token, id) }
  },
})
