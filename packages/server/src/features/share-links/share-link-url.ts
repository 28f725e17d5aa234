import type { Deps } from '../../deps.ts'
import { shortIdAlphabet } from '../../lib/ids.ts'

type Secrets = Pick<Deps, 'secretBox'>
type Signing = Pick<Deps, 'secretBox' | 'config'>

const tokenPurpose = 'share link v1'
const shortTokenPurpose = 'short share link v1'

const longPrefix = '/api/v1/public/share-links/'
const shortPrefix = '/s/'
const shortPath = new RegExp(`^${shortPrefix}([${shortIdAlphabet}]{10})([${shortIdAlphabet}]+)((?:[/?].*)?)$`)

/** Derives the secret segment of a share link URL from the link ID. The segment is never stored. */
const longPath = ({ secretBox }: Secrets, id: string): string =>
  `${longPrefix}${id}/${secretBox.token(tokenPurpose, id)}`

/** Returns whether the token is the secret segment of the link's URL. */
export const isShareToken = ({ secretBox }: Secrets, id: string, token: string): boolean =>
  secretBox.isToken(token, tokenPurpose, id)

/** Returns the URL of a link that programs use. */
export const shareUrl = (signing: Signing, id: string): string =>
  `${signing.config.publicUrl}${longPath(signing, id)}`

/** Returns the URL of a link that people read, type and scan. */
export const shortShareUrl = ({ config, secretBox }: Signing, id: string): string =>
  `${config.publicUrl}${shortPrefix}${id}${secretBox.shortToken(shortTokenPurpose, id)}`

/**
 * Returns the path of a link in the form that the visitor opened. The forms and cookies of a page use this path, so a
 * visitor stays on it.
 */
export const sharePath = (signing: Signing & { visitedPath: string }, id: string): string =>
  new URL((signing.visitedPath.startsWith(shortPrefix) ? shortShareUrl : shareUrl)(signing, id)).pathname

/**
 * Replaces the short path of a link with the long one, so that both lead to the same endpoints and pages. A short path
 * with an incorrect secret becomes the path of a link that does not exist.
 */
export function expandShortPath(secrets: Secrets, url: string): string {
  if (!url.startsWith(shortPrefix)) return url
  const [, id, token = '', rest = ''] = shortPath.exec(url) ?? []
  if (id === undefined) return `${longPrefix}unknown/unknown`
  const isCorrect = secrets.secretBox.isShortToken(token, shortTokenPurpose, id)
  return `${isCorrect ? longPath(secrets, id) : `${longPrefix}${id}/unknown`}${rest}`
}
