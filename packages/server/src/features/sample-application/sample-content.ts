import { sampleApk, sampleIpa, sampleMacApp, type SampleVersion } from './files/sample-files.ts'

export type SampleBuild = {
  version: readonly [major: number, minor: number, patch: number]
  extra: string | null
  buildNumber: number
  platform: 'android' | 'ios' | 'macos'
  stream: 'stable' | 'nightlies'
  label: string
  branch: string
  commit: string
  notes: string
  /** How long before the application the build seems to have been uploaded, so that lists have an order. */
  ageMinutes: number
}

export const sampleName = 'Sample'
export const sampleDescription =
  'A sample application, created to show what builds, labels, releases and share links look like. Its files cannot be installed.'
export const samplePlatforms = ['android', 'ios', 'macos'] as const

const released = {
  version: [1, 0, 0],
  extra: null,
  buildNumber: 100,
  stream: 'stable',
  label: 'qa-passed',
  branch: 'main',
  commit: '5f0c2a9be1d34c7788a6f1c0e2b94d3a7c61e805',
  notes: 'First release: scanning, offline mode and dark theme.',
  ageMinutes: 4,
} as const
const nightly = {
  version: [1, 1, 0],
  extra: 'nightly.1',
  buildNumber: 101,
  stream: 'nightlies',
  label: 'needs-qa',
  branch: 'feature/widgets',
  commit: 'c41b7e60fd9a4a52b3f8e07d16c9a2be58d3f714',
  notes: 'Home screen widgets.',
  ageMinutes: 1,
} as const

export const sampleBuilds: readonly SampleBuild[] = [
  { ...released, platform: 'macos' },
  { ...released, platform: 'ios' },
  { ...released, platform: 'android' },
  { ...nightly, platform: 'ios' },
  { ...nightly, platform: 'android' },
]

export const sampleRelease = {
  title: 'Sample 1.0',
  notes: '- Scan documents with the camera\n- Work offline\n- Dark theme',
  label: 'qa-passed',
}

const writers = {
  android: { ending: 'apk', write: sampleApk },
  ios: { ending: 'ipa', write: sampleIpa },
  macos: { ending: 'zip', write: sampleMacApp },
} satisfies Record<SampleBuild['platform'], { ending: string; write: (version: SampleVersion) => Buffer }>

/** Returns the name and the bytes of the file of a build. */
export function sampleFile({ version, extra, buildNumber, platform }: SampleBuild) {
  const { ending, write } = writers[platform]
  const text = [version.join('.'), ...(extra === null ? [] : [extra])].join('-')
  return { filename: `sample-${text}-${platform}.${ending}`, bytes: write({ version: text, buildNumber }) }
}
