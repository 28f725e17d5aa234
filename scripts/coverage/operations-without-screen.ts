const inList = 'The console shows what the list or the parent resource returns.'
const forVisitors =
  'Visitors without an account use it through the pages of their links, which the server renders.'
const byUpdate = 'The console calls the operation that updates several attributes at once.'
const architectures =
  'The server reads architectures from packages; `quayside builds edit` sets those of other files.'
const permalink = 'Browsers open it as the permalink of a stream or release, `/d/…`.'
const badge = 'READMEs and web pages show it as the image of a permalink, `/d/…/badge.svg`.'
const forPrograms = 'For programs.'

/** The reasons why people do not need an operation in the console, by operation ID. */
export const operationsWithoutScreen: Readonly<Record<string, string>> = {
  checkPortalDomain: `${forPrograms} A reverse proxy asks it for which host names it may obtain certificates.`,
  createBuildDownloads: `${forPrograms} Scripts and mirrors use it to get the signed URLs of many builds; the console downloads one build at a time.`,
  createGroupDownload: forVisitors,
  createLinkDownload: forVisitors,
  createShareGrant: forVisitors,
  deleteDistributionGroupMember:
    'The console removes members with `removeDistributionGroupMembers`, which accepts one or several.',
  downloadGroupBuild: forVisitors,
  downloadLinkBuild: forVisitors,
  downloadLatestBuild: permalink,
  downloadLatestPublicBuild: permalink,
  downloadPublicReleaseBuild: permalink,
  downloadReleaseBuild: permalink,
  exportFeedback: 'Browsers open it from the list of feedback.',
  getFeedbackScreenshot: 'Images load it as `url` of a screenshot.',
  getBuildFile: 'Browsers open it as the `download_url` of a build.',
  getFileChunks: 'Clients that download parts of a file read it; browsers download whole files.',
  getPublicPatch: 'Clients that have an earlier version of a file read it; browsers download whole files.',
  listFilePatches: 'Clients that have an earlier version of a file read it; browsers download whole files.',
  getBuildMetadata: inList,
  getCustomTarget: inList,
  exportDownloads: 'The console links to its URL, so that the browser streams the file.',
  getAvatar: 'Returned as `profile_photo_url`; the console draws initials itself.',
  getDevice: inList,
  getIcon: 'Images load it as `icon_url`, `logo_url` or `profile_photo_url`.',
  getLabel: inList,
  getLatestBuildBadge: badge,
  getLatestPublicBuildBadge: badge,
  getPublicReleaseBuildBadge: badge,
  getReleaseBuildBadge: badge,
  getShareLinkBadge: badge,
  getStream: inList,
  getTrustedPublisher: inList,
  getUser: inList,
  getWorkspaceCustomTarget: inList,
  getWorkspaceLabel: inList,
  listArchitectures: architectures,
  listBuildDebugIds: 'Debug IDs have no screen yet.',
  listBuildMetadata: inList,
  listDeviceBuilds: `${forPrograms} The page of a build states how many devices it includes.`,
  listChanges: `${forPrograms} Mirrors follow the changes of an application.`,
  moveBuild: 'The console moves builds with `updateBuilds`, which accepts one or several.',
  openGroupLink: forVisitors,
  openShareLink: forVisitors,
  replaceBuildArchitectures: architectures,
  replaceReleaseLabels: byUpdate,
  composeUpload: 'The command line compares files with those on the server.',
  getComposition: 'Only the command line resumes uploads that reuse bytes.',
  requestExpansionUploadPart: 'Expansion files are uploaded with the command line, as part of a build.',
  watchEvents: 'The console watches all applications with `watchWorkspaceEvents`.',
}
