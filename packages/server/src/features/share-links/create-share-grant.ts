import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Timestamp } from '../../http/fields.ts'
import { isPassword } from '../../lib/password.ts'
import { Problem } from '../../lib/problem.ts'
import { makeGrant } from './grant.ts'
import { requireUsableLink, Shared, sharedParams, sharedResource } from './visit.ts'

export const createShareGrant = endpoint({
  method: 'POST',
  path: '/public/share-links/:share_link_id/:share_token/grants',
  scope: 'public',
  summary: 'Open a share link by its password',
  description: 'Five guesses in a quarter of an hour for each link and address; 429 after that.',
  params: sharedParams,
  body: Type.Object({ password: Type.String({ maxLength: 72 }) }),
  status: 201,
  refuses: [403],
  returns: one(
    Type.Object({
      grant: Type.String({ description: 'To be sent with downloads, for 15 minutes.' }),
      grant_expires_at: Timestamp,
      shared: Shared,
    }),
  ),
  visible: requireUsableLink,
  async handle({ link, body, ...call }) {
    if (link.password_hash === null)
      throw new Problem('conflict', 'share_link.no_password', 'This link needs no password.')
    const guesser = `${link.id} ${call.address}`
    const { isAllowed, resetSeconds } = call.guessLimit.take(guesser)
    if (!isAllowed)
      throw new Problem('too_many', 'share_link.too_many_guesses', 'Too many guesses. Try again later.', {
        retryAfterSeconds: resetSeconds,
      })
    if (!(await isPassword(body.password, link.password_hash)))
      throw new Problem('forbidden', 'share_link.wrong_password', 'This is not the password of the link.')
    call.guessLimit.forget(guesser)
    const shared = await sharedResource(call, link)
    return { message: 'Share link opened.', data: { ...makeGrant(call, link), shared } }
  },
})
