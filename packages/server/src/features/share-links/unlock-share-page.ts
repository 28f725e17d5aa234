import { retryText } from '../../http/error-page.ts'
import { page } from '../../http/page.ts'
import { Problem } from '../../lib/problem.ts'
import { passwordDocument } from '../download-pages/download-page.ts'
import { checkPassword } from './check-share-link-password.ts'
import { explainShareLink } from './explain-share-link.ts'
import {
  createGrant,
  grantLifetimeSeconds,
  isGrant,
  requireUsableLink,
  shareLinkParams,
} from './share-link-access.ts'
import { grantCookie, sharePath } from './share-link-cookies.ts'

/** Accepts the password form of a share link. The grant is stored in a cookie, so it is in no URL. */
export const unlockSharePage = page({
  method: 'POST',
  path: '/public/share-links/:share_link_id/:share_token',
  params: shareLinkParams,
  load: requireUsableLink,
  explain: explainShareLink,
  async handle({ link, ...call }) {
    const path = sharePath(call, link.id)
    const { password_hash } = link
    if (password_hash === null) return { location: path }
    const password = call.fields.get('password') ?? ''
    if (password === '') return { ...passwordDocument({ path, error: 'Enter the password.' }), status: 422 }
    try {
      const hasGrant = isGrant(call, link, call.cookies.get(grantCookie))
      await checkPassword(call, { ...link, password_hash }, password, { hasGrant })
    } catch (error) {
      if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
      const text =
        error.kind === 'too_many' ? `Too many incorrect passwords. ${retryText(error)}` : error.message
      return { ...passwordDocument({ path, error: text }), status: error.status, headers: error.headers }
    }
    const { grant: value } = createGrant(call, link)
    return {
      location: path,
      cookies: [{ name: grantCookie, value, path, maxAgeSeconds: grantLifetimeSeconds }],
    }
  },
})
