import { indexByIdentifier, namedEntries } from './named-entries.ts'

/** The tools that upload builds, which are the values of `source` in an upload request. */
export const uploadSources = namedEntries({
  'web-upload': 'Web Upload',
  'cli-upload': 'CLI Upload',
  ghactions: 'GitHub Actions',
  jenkins: 'Jenkins',
  'unity-build': 'Unity Build Automation',
  'gitlab-ci': 'GitLab CI',
  'azure-devops': 'Azure DevOps',
  circleci: 'CircleCI',
  travisci: 'Travis CI',
  appveyor: 'AppVeyor',
  teamcity: 'TeamCity',
  'bitbucket-pipelines': 'Bitbucket Pipelines',
  bitrise: 'Bitrise',
  codemagic: 'Codemagic',
  buildkite: 'Buildkite',
  'google-cloud-build': 'Google Cloud Build',
  bamboo: 'Bamboo',
  semaphore: 'Semaphore',
  'aws-codebuild': 'AWS CodeBuild',
  abstruse: 'Abstruse',
  'cirrus-ci': 'Cirrus CI',
  drone: 'Drone',
  concourse: 'Concourse',
})

const byIdentifier = indexByIdentifier(uploadSources)

/**
 * Sources whose parts have chunked encoding instead of a length (decision 0014), which S3 rejects. They send a whole file
 * with its length.
 */
const sourcesOfChunkedParts = new Set(['jenkins'])

export const sendsChunkedParts = (slug: string): boolean => sourcesOfChunkedParts.has(slug)

export const isUploadSource = (slug: string): boolean => byIdentifier.has(slug)
