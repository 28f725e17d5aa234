import { retryText } from '../../http/pages/error-page.ts'
import { page } from '../../http/pages/page.ts'
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
import { grantCookie } from './share-link-cookies.ts'
import { sharePath } from './share-link-url.ts'

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
    const { text } = call
    if (password === '')
      return { ...passwordDocument({ path, error: text.password.missing }, text), status: 422 }
    try {
      const hasGrant = isGrant(call, link, call.cookies.get(grantCookie))
      await checkPassword(call, { ...link, password_hash }, password, { hasGrant })
    } catch (error) {
      if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
      const { tooMany, wrong } = text.password
      let { message } = error
      if (error.kind === 'too_many') message = tooMany(retryText(error, text))
      else if (error.code === 'share_link.wrong_password') message = wrong
      return {
        ...passwordDocument({ path, error: message }, text),
        status: error.status,
        headers: error.headers,
      }
    }
    const { grant: value } = createGrant(call, link)
    return {
      location: path,
      cookies: [{ name: grantCookie, value, path, maxAgeSeconds: grantLifetimeSeconds }],
    }
  },
})
