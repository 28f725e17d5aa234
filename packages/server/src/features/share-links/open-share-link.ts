import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireUsableLink, Shared, sharedFrame, sharedParams, sharedResource } from './visit.ts'

export const openShareLink = endpoint({
  method: 'GET',
  path: '/public/share-links/:share_link_id/:share_token',
  scope: 'public',
  summary: 'See what a share link shares',
  description: 'Of a link with a password only that it needs one. 410 when expired, revoked or used up.',
  params: sharedParams,
  returns: one(Shared),
  visible: requireUsableLink,
  async handle({ link, ...call }) {
    const data = link.password_hash === null ? await sharedResource(call, link) : sharedFrame(call, link)
    return { message: 'Share link opened.', data }
  },
})
