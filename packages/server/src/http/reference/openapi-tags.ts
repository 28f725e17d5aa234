/** What each group of operations is about, by tag. */
const tagDescriptions: Readonly<Record<string, string>> = {
  adoption: 'Which versions the clients of a channel have, and how its feeds are answered.',
  'api keys': 'Secrets with scopes for a workspace or one application.',
  applications: 'Products whose builds are distributed.',
  architectures: 'The processor architectures of the platforms.',
  attention: 'What people should look at, such as failing webhooks.',
  'audit log': 'A record of every change, with the person or key that made it.',
  avatars: 'Generated pictures of people who have no photo. They need no key.',
  builds: 'Uploaded versions of an application, each for one platform.',
  changes: 'A feed of changes for programs that keep a copy of builds and releases.',
  channels: 'Update feeds of installed applications, with read keys and rollouts.',
  chunks: 'The pieces of a file, by which clients download only what they lack.',
  comparisons: 'What changed between two builds, in numbers and bytes.',
  'custom store': 'The S3 bucket of an application in which its files are stored.',
  'custom targets': 'Variants of a platform, such as device types.',
  'debug ids': 'The build and symbol IDs of executables, by which crash reports find their build.',
  'default streams': 'Templates for the streams of new applications.',
  devices: 'The registered iPhones, iPads and other devices on which a team installs builds.',
  'distribution groups': 'People who are notified of releases and download them by personal links.',
  entries: 'The files in the archives of two builds that differ.',
  events: 'Server-sent events about changes as they happen.',
  feedback: 'What visitors of install and release pages write about builds.',
  'first steps': 'The steps with which people start to use a workspace.',
  'group links': 'The personal links of distribution groups. They need no key.',
  icons: 'Images of applications, builds, people and workspaces. They need no key.',
  invitations: 'Invitations of people to a workspace or an application.',
  'ios installation check': 'Whether iOS accepts the public URL for the installation of apps.',
  labels: 'Tags on builds and releases.',
  members: 'The people of a workspace or an application, with their roles.',
  metadata: 'Files that are kept with a build, such as test reports.',
  'notification rules': 'What a person is notified of.',
  'notification settings': 'When a person gets emails about notifications.',
  notifications: 'The inbox of a person.',
  outbox: 'The emails that the service has sent or would send.',
  patches: 'Differences between files of two builds, by which clients update.',
  pins: 'The applications and views that a person has pinned to the sidebar of the console.',
  platforms: 'The operating systems and consoles that applications support.',
  'portal domains': 'Host names at which portals are served, for reverse proxies. They need no key.',
  portals: 'Selections of streams and releases of several applications.',
  'read keys': 'Secrets with which customers read a channel that is not public.',
  releases: 'Builds that are published together under a version and notes.',
  'repository keys': 'The OpenPGP keys with which the indexes of package repositories are signed.',
  rollout: 'How a channel offers a version to its clients.',
  'sample application': 'An application that shows what a workspace looks like in use.',
  session: 'The signed-in person and their scopes.',
  setup: 'The first owner of a new service.',
  'share links': 'URLs by which people without an account download a build or a release.',
  statistics: 'Numbers of builds, downloads and storage over time.',
  streams: 'Named series of builds with their own retention.',
  teams: 'Named sets of workspace members that have roles in applications.',
  'trusted publishers': 'Rules by which CI runs exchange OIDC tokens for short-lived API keys.',
  upload: 'Uploading builds: request, PUT to storage, verify.',
  users: 'The account of the signed-in person.',
  views: 'Filters, order and grouping of the build list that are saved under a name.',
  'webhook sample': 'Examples of webhook payloads.',
  webhooks: 'URLs that receive events of an application.',
  workspace: 'The tenant that owns applications, people and keys.',
}

/** Returns the declarations of tags in alphabetical order. Throws if a tag has no description. */
export const tagsOf = (tags: Iterable<string>): { name: string; description: string }[] =>
  [...new Set(tags)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => {
      const description = tagDescriptions[name]
      if (description === undefined) throw new Error(`openapi-tags.ts: the tag "${name}" has no description`)
      return { name, description }
    })
