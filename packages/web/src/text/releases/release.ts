import { plural } from '../../ui/format/bytes.ts'

const sinceText = (version: string | undefined): string => (version === undefined ? '' : ` since ${version}`)

const people = (count: number): string => plural(count, 'person', 'people')

/** The sentences of the pages about releases. */
export const releaseText = {
  list: {
    empty: 'A release groups builds under a version and notes. Publish it to people, now or at a set time.',
    noMatch: 'Remove a filter above, or search for another version or title.',
    more: 'Show more releases',
  },
  enterTitle: 'Enter a title.',
  updated: 'Release updated.',
  version: {
    help: 'Major, minor and patch number, such as 2.14.0 or 2.14.0-beta.1.',
    invalid: 'Enter three numbers, such as 2.14.0. A pre-release label may follow, such as 2.14.0-beta.1.',
    differs: (count: number, version: string) =>
      `${plural(count, 'build differs', 'builds differ')} from version ${version}. Check that you selected the right builds.`,
    preReleases: (count: number, version: string) =>
      `${plural(count, 'build is a pre-release', 'builds are pre-releases')} of ${version}. People see ${version} but get what was uploaded before it.`,
    differsBuild: (version: string) => `Differs from release ${version}`,
  },
  builds: {
    none: 'No builds yet. People cannot download anything from this release.',
    choose: 'Choose the builds to publish, usually one for each platform.',
    noMatch: 'No builds match.',
    suggested: 'Newest versions',
    added: (count: number) => `${plural(count, 'build')} added.`,
    removed: (build: string) => `${build} removed.`,
    full: 'A release can have at most 100 builds.',
  },
  withoutBuilds: {
    title: 'Release without builds?',
    text: 'No builds are selected. People who open this release cannot download anything.',
  },
  notes: {
    empty: 'Tell people what changed.',
    emptyReadonly: 'This release has no notes.',
    placeholder: '## New\n\n- …\n\n## Fixed\n\n- …',
    help: 'Markdown is supported.',
    draft: 'Draft from builds',
    otherChanges: 'Other changes',
    drafted: (withNotes: number, all: number, since: string | undefined) =>
      `Added the notes of ${withNotes === all ? plural(all, 'build') : `${withNotes} of ${plural(all, 'build')}`}${sinceText(since)}.`,
    nothingToDraft: (since: string | undefined) => `No build${sinceText(since)} has notes.`,
  },
  changes: {
    title: (previous: string) => `Changes since ${previous}`,
    previous: (version: string) => `Release ${version}`,
    permissions: (added: number, removed: number) =>
      [
        added > 0 && plural(added, 'new permission'),
        removed > 0 && `${plural(removed, 'permission')} removed`,
      ]
        .filter(Boolean)
        .join(', '),
    compare: (platform: string, before: string, after: string) =>
      `Compare ${platform} ${before} with ${after}`,
  },
  publication: {
    now: { title: 'Publish now', help: 'People get it as soon as you click Publish.' },
    scheduled: { title: 'Schedule', help: 'It is published automatically at the time you choose.' },
    draft: { title: 'Save as draft', help: 'Only workspace members see it until it is published.' },
  },
  schedule: {
    past: 'Choose a time in the future.',
    missing: 'Choose a publication time.',
    zone: (zone: string) => `In your time zone, ${zone}.`,
    inUtc: (time: string) => `That is ${time} UTC.`,
  },
  audience: {
    notifiesNow: (count: number) =>
      count === 0 ? 'Nobody is notified.' : `${people(count)} will be notified by email.`,
    wereNotified: (count: number) =>
      count === 0 ? 'Nobody was notified.' : `${people(count)} notified by email.`,
    alreadyNotified: 'People who have already been notified of this release are not notified again.',
    noGroups: 'Add the release to a group to notify people by email.',
    groupsHelp: 'Members get an email with a personal link. They need no account.',
    portalsHelp: 'Select the portals that include the release.',
    personsNotified: (count: number) => `${people(count)} notified.`,
    noGroupsYet: 'There are no groups yet.',
    inEveryGroup: 'Every group already has this release.',
    removed: (group: string) => `Removed from ${group}.`,
    noPortals: 'No portal contains this application.',
    included: (portal: string) => `${portal} includes this release.`,
    excluded: (portal: string) => `${portal} no longer includes this release.`,
    links: (count: number) =>
      count === 0 ? 'No share links.' : `${plural(count, 'share link')} can be used while it is published.`,
    notIncluded: 'Not in any portal.',
    modes: { all: 'Includes every release', selective: '', none: 'Includes no releases of this application' },
    inactive: 'Inactive: members are not notified, and their links do not work',
    addNow: (count: number) =>
      count === 0
        ? 'This group has no members yet.'
        : `${people(count)} will get an email now, except those who have already been notified.`,
    addLater: (count: number) =>
      count === 0
        ? 'This group has no members yet.'
        : `${people(count)} will get an email when the release is published.`,
    quiet: 'Members who already have a link can open the release. Nobody is notified.',
    notified: (notified: number, members: number) =>
      members === 0 ? 'No members' : `${notified} of ${people(members)} notified`,
    waiting: (members: number) => `${people(members)} notified when it is published`,
    silent: (members: number) => `${people(members)}, not notified`,
  },
  banners: {
    draft: 'This release is a draft. People cannot see it until you publish it.',
    withdrawn:
      'This release is withdrawn. Share links, personal links and portals do not show it until you publish it again.',
  },
  withdraw: {
    published: 'People can no longer see or download this release:',
    points: [
      'Share links and personal links to it stop working.',
      'Portals hide it.',
      'Download URLs that were already issued remain valid for up to 15 minutes.',
    ],
    done: 'Release withdrawn.',
    canceled: 'Publication canceled.',
    after: 'Nobody is notified. You can publish it again at any time.',
  },
  remove: {
    done: 'Release deleted.',
    consequences: 'Its share links are deleted too. Its builds are not. This cannot be undone.',
  },
  summary: {
    audience: (members: number, groups: number, isLater: boolean) => {
      if (members === 0) return 'Nobody is notified.'
      const when = isLater ? 'when it is published' : 'at once'
      return `Up to ${people(members)} in ${plural(groups, 'group')} will be notified by email ${when}.`
    },
    portals: (count: number) => `Included in ${plural(count, 'portal')}.`,
  },
  created: {
    published: (count: number) =>
      count === 0 ? 'Release published.' : `Release published; ${people(count)} notified.`,
    scheduled: 'Release scheduled.',
    draft: 'Draft saved.',
    incomplete:
      'The release was saved as a draft, because a later step failed. Check its audience, then publish it.',
  },
  leave: 'Leave without saving the release?',
} as const
