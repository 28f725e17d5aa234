import type { Explanation } from '../../http/error-page.ts'
import type { Problem } from '../../lib/problem.ts'

const explanations: Readonly<Record<string, Explanation | undefined>> = {
  'resource.not_found': {
    title: 'This link does not work',
    text: 'The link may be incomplete, or what it shared was deleted. Check that you opened the whole link, or ask for a new one.',
    symbol: 'search',
  },
  'share_link.revoked': {
    title: 'This link was revoked',
    text: 'The person who shared it turned it off. Ask them for a new link.',
    symbol: 'off',
  },
  'share_link.expired': {
    title: 'This link has expired',
    text: 'It could be used only for a limited time. Ask the person who shared it for a new link.',
    symbol: 'clock',
  },
  'share_link.used_up': {
    title: 'No downloads left',
    text: 'This link has reached its download limit. Ask the person who shared it for a new link.',
    symbol: 'download',
  },
  'share_link.release_withdrawn': {
    title: 'This release was withdrawn',
    text: 'It cannot be downloaded at the moment. The link works again if the release is published again.',
    symbol: 'off',
  },
}

/** Returns how the pages of a share link explain an error. */
export const explainShareLink = ({ code }: Problem): Explanation | undefined => explanations[code]
