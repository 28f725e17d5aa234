import type { Explanation } from '../../http/error-page.ts'
import type { Problem } from '../../lib/problem.ts'

const explanations: Readonly<Record<string, Explanation | undefined>> = {
  'resource.not_found': {
    title: 'This link does not work',
    text: 'The link may be incomplete. Check that you opened the whole link from the email.',
    symbol: 'search',
  },
  'group_link.release_deleted': {
    title: 'This release was deleted',
    text: 'It can no longer be downloaded. Ask the person who sent it for another one.',
    symbol: 'off',
  },
  'group_link.application_deleted': {
    title: 'This application was deleted',
    text: 'Its releases can no longer be downloaded. Ask the person who sent it to restore it.',
    symbol: 'off',
  },
  'group_link.release_withdrawn': {
    title: 'This release was withdrawn',
    text: 'It is no longer shared. The link works again if the release is shared again.',
    symbol: 'off',
  },
  'group_link.not_a_member': {
    title: 'You are no longer in the group',
    text: 'This release is shared only with members of a group. Ask the person who sent it to add you again.',
    symbol: 'lock',
  },
  'group_link.group_inactive': {
    title: 'The group is inactive',
    text: 'This release is not available at the moment. Ask the person who sent it to activate the group.',
    symbol: 'clock',
  },
}

/** Returns how the pages of a group link explain an error. */
export const explainGroupLink = ({ code }: Problem): Explanation | undefined => explanations[code]
