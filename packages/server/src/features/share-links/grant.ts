import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { Problem } from '../../lib/problem.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import type { ShareLinkRow } from './share-link.db.ts'

const livesSeconds = 15 * 60

type Signing = Pick<Deps, 'secretBox' | 'clock'>

// bound to the hash, so that a changed password ends the grants of the old one
const signatureOf = ({ secretBox }: Signing, link: ShareLinkRow, expiresAt: number): string =>
  secretBox.token('share grant v1', JSON.stringify([link.id, link.password_hash, expiresAt]))

/** Proof that the password was given, good for 15 minutes. */
export function makeGrant(signing: Signing, link: ShareLinkRow) {
  const expiresAt = Math.floor(signing.clock.now().getTime() / 1000) + livesSeconds
  return {
    grant: `${expiresAt}.${signatureOf(signing, link, expiresAt)}`,
    grant_expires_at: isoMicroseconds(new Date(expiresAt * 1000)),
  }
}

/** Throws `share_link.password_required` unless the link needs no password or the grant is good. */
export function requireGrant(signing: Signing, link: ShareLinkRow, grant: string | undefined): void {
  if (link.password_hash === null) return
  const [, seconds, signature = ''] = /^(\d{1,12})\.(.+)$/s.exec(grant ?? '') ?? []
  const given = Buffer.from(signature)
  const wanted = Buffer.from(signatureOf(signing, link, Number(seconds ?? 0)))
  const isSigned = given.length === wanted.length && timingSafeEqual(given, wanted)
  if (isSigned && Number(seconds) * 1000 > signing.clock.now().getTime()) return
  throw new Problem('forbidden', 'share_link.password_required', 'Give the password of this link first.')
}
