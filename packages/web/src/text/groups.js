import { formatCount, plural } from '../ui/bytes.ts';
export const groupText = {
    explanation: 'A group is a list of people who get an email with a personal download link for each release that you add to it. They need no account.',
    types: {
        external: 'Any email address can be a member',
        internal: 'Only members of the workspace can be members of the group',
    },
    inactive: 'This group is inactive. Its members are not notified of releases, and their links do not work.',
    deactivation: 'Members are no longer notified of releases, and the links in emails that they already have stop working. You can activate the group again.',
    deletion: 'All links that were sent to its members stop working. Releases and builds are not deleted. This cannot be undone.',
    noMembers: 'Add the people who should get releases. They are not notified until you add a release.',
    noReleases: 'Add a release to share it with the members. Each gets a personal link, if you want by email.',
    noDownloads: 'Downloads appear here when members open the links in their emails.',
    emails: 'One address per line, or separated by commas or spaces. You can paste a column of a spreadsheet or the recipients of an email.',
    noEmail: 'Adding members sends no email.',
    emoji: 'A single emoji, such as 🚀',
    notify: (count) => count === 0
        ? 'The group has no members to notify.'
        : `${plural(count, 'member')} ${count === 1 ? 'gets' : 'get'} an email with a personal link. Nobody gets more than one email per release.`,
    notifyInactive: 'An inactive group cannot be notified. Activate it first.',
    repeat: 'Only members who have not been notified yet get an email.',
};
/** Returns whether the members can download a release of the group, and whether they know about it. */
export function groupReleaseState({ status, notify }) {
    if (status === 'published')
        return notify ? 'Members notified' : 'Available without notification';
    if (status === 'scheduled')
        return notify ? 'Members are notified on publication' : 'Available on publication';
    if (status === 'withdrawn')
        return 'Hidden, because the release is withdrawn';
    return notify ? 'Draft; members are notified on publication' : 'Draft; available on publication';
}
/** Returns the summary of a call that added members. */
export function addedText(added, existing) {
    const parts = [`${plural(added, 'member')} added`];
    if (existing > 0)
        parts.push(`${formatCount(existing)} already in the group`);
    return `${parts.join(', ')}.`;
}
