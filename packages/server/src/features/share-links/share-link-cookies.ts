import type { Deps } from '../../deps.ts'
import { shareUrl } from './share-link.ts'

/** The cookie that contains a visitor's grant. Its path limits it to one link. */
export const grantCookie = 'quayside_grant'

/** Returns the name of the cookie with which a visitor resumes the download of a build. */
export const resumeCookie = (buildId: string): string => `quayside_resume_${buildId}`

/** Returns the path of a link in browsers, to which its cookies are limited. */
export const sharePath = (signing: Pick<Deps, 'secretBox' | 'config'>, linkId: string): string =>
  new URL(shareUrl(signing, linkId)).pathname
