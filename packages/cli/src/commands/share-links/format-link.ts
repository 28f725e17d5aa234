import type { ShareLink } from '@quayside/sdk'
import { formatTime } from '../../output/format.ts'

/** Formats the status of a link, such as `active until 2026-12-01 10:00, 2 of 5 downloads`. */
export function formatLinkState(link: ShareLink): string {
  const { is_active, expired, expires_at, max_downloads, download_count } = link
  const downloads = max_downloads === null ? '' : `, ${download_count} of ${max_downloads} downloads`
  if (!is_active) return 'revoked'
  if (expired) return 'expired'
  if (max_downloads !== null && download_count >= max_downloads) return `exhausted${downloads}`
  return `active${expires_at === null ? '' : ` until ${formatTime(expires_at)} UTC`}${downloads}`
}
