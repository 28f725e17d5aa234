import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Timestamp } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { checkPassword, passwordProblems } from './check-share-link-password.ts'
import { Shared, sharedResource } from './open-share-link.ts'
import {
  createGrant,
  isGrant,
  requireUsableLink,
  shareLinkParams,
  shareLinkProblems,
} from './share-link-access.ts'

const noPassword = problem(
  'conflict',
  'share_link.no_password',
  'This link has no password. Use it without a grant.',
)

export const createShareGrant = endpoint({
  method: 'POST',
  path: '/public/share-links/:share_link_id/:share_token/grants',
  scope: 'public',
  summary: 'Unlock a share link',
  description:
    'Exchanges the password of the link for a grant. Returns 429 after five incorrect passwords in 15 minutes from one client (IPv6: one /64 network), and after 100 in an hour from all clients. Each time the limit of 100 is reached, the lockout doubles, up to one day. Existing grants keep working, and changing the password ends the lockout.',
  params: shareLinkParams,
  body: Type.Object({
    password: Type.String({ maxLength: 72 }),
    grant: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'A valid grant. Only the per-client limit applies to a visitor who has one.',
      }),
    ),
  }),
  status: 201,
  refuses: [...shareLinkProblems, noPassword, ...passwordProblems],
  returns: one(
    Type.Object({
      grant: Type.String({ description: 'Send it with download requests. Valid for 15 minutes.' }),
      grant_expires_at: Timestamp,
      shared: Shared,
    }),
  ),
  load: requireUsableLink,
  async handle({ link, body, ...call }) {
    if (link.password_hash === null) throw noPassword()
    const { password_hash } = link
    await checkPassword(call, { ...link, password_hash }, body.password, {
      hasGrant: isGrant(call, link, body.grant),
    })
    const shared = await sharedResource(call, link)
    return { message: 'Share link unlocked.', data: { ...createGrant(call, link), shared } }
  },
})
