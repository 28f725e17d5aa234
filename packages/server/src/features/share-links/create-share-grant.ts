import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { Timestamp } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { verifyPassword } from '../../lib/password.ts'
import { Problem } from '../../lib/problem.ts'
import { Shared, sharedResource } from './open-share-link.ts'
import { createGrant, requireUsableLink, shareLinkParams } from './share-link-access.ts'

export const createShareGrant = endpoint({
  method: 'POST',
  path: '/public/share-links/:share_link_id/:share_token/grants',
  scope: 'public',
  summary: 'Unlock a share link',
  description:
    'Exchanges the password of the link for a grant. Allows five attempts per link and IP address (IPv6: /64 network) in 15 minutes, then returns 429.',
  params: shareLinkParams,
  body: Type.Object({ password: Type.String({ maxLength: 72 }) }),
  status: 201,
  refuses: [403],
  returns: one(
    Type.Object({
      grant: Type.String({ description: 'Send it with download requests. Valid for 15 minutes.' }),
      grant_expires_at: Timestamp,
      shared: Shared,
    }),
  ),
  load: requireUsableLink,
  async handle({ link, body, ...call }) {
    if (link.password_hash === null)
      throw new Problem(
        'conflict',
        'share_link.no_password',
        'This link has no password. Use it without a grant.',
      )
    const limitKey = `${link.id} ${call.network}`
    const { isAllowed, resetSeconds } = call.guessLimit.take(limitKey)
    if (!isAllowed)
      throw new Problem(
        'too_many',
        'share_link.too_many_guesses',
        'Too many password attempts. Try again later.',
        { retryAfterSeconds: resetSeconds },
      )
    if (!(await verifyPassword(body.password, link.password_hash)))
      throw new Problem('forbidden', 'share_link.wrong_password', 'The password is incorrect. Try again.')
    call.guessLimit.forget(limitKey)
    const shared = await sharedResource(call, link)
    return { message: 'Share link unlocked.', data: { ...createGrant(call, link), shared } }
  },
})
