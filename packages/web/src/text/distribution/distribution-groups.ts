import type { DistributionGroupRelease } from '@quayside/sdk'
import { formatCount, plural } from '../../ui/format/bytes.ts'

export const groupText = {
  explanation:
    'A group is a list of people who get an email with a personal download link for each release that you add to it. They need no account.',
  types: {
    external: 'Anyone with an email address can join',
    internal: 'Only workspace members can join',
  },
  digest: 'Members can choose another setting with the link in each email.',
  digests: {
    none: 'One email per release',
    daily: 'Daily summary at 08:00 UTC',
    weekly: 'Weekly summary on Mondays at 08:00 UTC',
  },
  memberDigests: { none: 'Every release', daily: 'Daily summary', weekly: 'Weekly summary' },
  bounced: 'A mail server rejected this address. The member gets no emails until you clear the rejection.',
  inactive: {
    title: 'This group is inactive',
    detail: 'Its members are not notified of releases, and their links do not work.',
  },
  deletion:
    'All links sent to its members stop working. Releases and builds are not deleted. This cannot be undone.',
  noMembers: 'Add people to send releases to. They are not notified until you add a release.',
  noReleases:
    'Add a release to share it with the members. Each member gets a personal link, optionally by email.',
  noDownloads: 'Downloads appear here when members open the links in their emails.',
  emails:
    'One address per line, or separated by commas or spaces. You can paste a spreadsheet column or email recipients.',
  unsubscribed:
    'Unsubscribed from the emails of this group. Personal links still work, and the member can subscribe again.',
  noEmail: 'Adding members sends no email.',
  emoji: 'A single emoji, such as 🚀',
  notify: (count: number) =>
    count === 0
      ? 'The group has no members to notify.'
      : `${plural(count, 'member')} ${count === 1 ? 'gets' : 'get'} an email with a personal link. Nobody gets more than one email per release.`,
  notifyInactive: 'An inactive group cannot be notified. Activate it first.',
  repeat: 'Only members who have not been notified yet get an email.',
  chooseRelease: 'Choose a release.',
  chooseEmoji: 'Choose an emoji.',
  chooseIcon: 'Choose an icon.',
  activated: 'Group activated.',
  deactivated: 'Group deactivated. Its links do not work.',
  deleted: 'Group deleted.',
  deleteTitle: (name: string) => `Delete the group ${name}?`,
  noMatch: 'No member has this text in the address.',
  membersRemoved: (count: number) => `${plural(count, 'member')} removed.`,
  notified: (count: number) =>
    count === 0 ? 'Every member has already been notified.' : `${plural(count, 'member')} notified.`,
  releaseRemoved: (version: string) => `${version} removed from the group.`,
}

/** Returns whether the members can download a release of the group, and whether they know about it. */
export function groupReleaseState({ status, notify }: DistributionGroupRelease): string {
  if (status === 'published') return notify ? 'Members notified' : 'Available without notification'
  if (status === 'scheduled')
    return notify ? 'Members are notified on publication' : 'Available on publication'
  if (status === 'withdrawn') return 'Hidden, because the release is withdrawn'
  return notify ? 'Draft; members are notified on publication' : 'Draft; available on publication'
}

/** Returns the summary of a call that added members. */
export function addedText(added: number, existing: number, refused: number): string {
  const parts = [`${plural(added, 'member')} added`]
  if (existing > 0) parts.push(`${formatCount(existing)} already in the group`)
  if (refused > 0) parts.push(`${formatCount(refused)} refused`)
  return `${parts.join(', ')}.`
}
