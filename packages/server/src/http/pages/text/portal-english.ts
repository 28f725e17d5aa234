import { html, type Fragment } from '../../../lib/html.ts'

/** The sentences of the pages of portals. */
export const portalEnglish = {
  releases: 'Releases',
  changelog: 'Changelog',
  latestBuilds: 'Latest builds',
  searchLabel: 'Search releases',
  platform: 'Platform',
  allPlatforms: 'All platforms',
  application: 'Application',
  allApplications: 'All applications',
  show: 'Show',
  allDownloads: (count: number) => (count === 1 ? 'Details' : `All ${count} downloads`),
  buildsOf: (stream: string) => `All builds of ${stream}`,
  more: 'Show older',
  newest: 'Back to the newest',
  moreStreams: 'Show more',
  firstStreams: 'Back to the beginning',
  empty: {
    title: 'Nothing here yet',
    text: 'Releases appear here as soon as they are published.',
  },
  noMatch: {
    title: 'Nothing found',
    text: 'No release matches the search and filters.',
    reset: 'Show everything',
  },
  noNotes: 'No notes.',
  noBuilds: 'This stream has no builds at the moment.',
  permalinks: 'Links that stay the same',
  permalinksHint: (latest: Fragment) =>
    html`For scripts and documentation. With ${latest} instead of the version, a link leads to the newest
    release for its platform.`,
  feeds: 'Feeds',
  personalFeeds: 'The addresses of the feeds are personal. Please do not share them.',
  feedTitle: (portal: string) => `Releases of ${portal}`,
  signedInAs: (email: Fragment) => html`Opened as ${email}.`,
  signOut: 'Sign out',
  signIn: {
    title: (portal: string) => `Open ${portal}`,
    text: 'This page is private. Enter your email address, and you get a code that opens it.',
    label: 'Email address',
    submit: 'Send code',
    invalidEmail: 'Enter a complete email address, such as name@example.com.',
    tooManyCodes: (retry: string) => `Too many codes were requested. ${retry}`,
    codeTitle: 'Enter the code',
    codeText: (email: Fragment, minutes: number) =>
      html`If ${email} may open this page, an email with a code is on its way. The code works for ${minutes}
      minutes, in this browser only.`,
    codeLabel: 'Code',
    codeSubmit: 'Continue',
    wrongCode: 'The code is incorrect. Try again.',
    expired: 'The code can no longer be used. Request a new one.',
    otherEmail: 'Use another address or request a new code',
  },
  toFrontPage: 'All releases',
  notFound: {
    title: 'Nothing at this address',
    text: 'The release may have been withdrawn, or the address is incomplete.',
  },
}

export type PortalText = typeof portalEnglish
