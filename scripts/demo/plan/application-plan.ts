import type { IconName } from '../drawing/icons.ts'
import type { PersonId } from './people.ts'

export type FileKind = 'apk' | 'ipa' | 'exe' | 'deb' | 'tar' | 'image'

export type PlatformPlan = {
  platform: string
  /** The suffix and extension of file names, such as `-arm64.apk`. */
  ending: string
  kind: FileKind
  architectures: string[]
  sizeKb: readonly [min: number, max: number]
  customTarget?: string
  /** The ending of files outside the stream `stable`, which are not packaged as `kind`. */
  plainEnding?: string
}

/** A feature branch with the subjects of its commits. */
export type Feature = { branch: string; commits: string[] }

/** A version that was released, with its notes. The last one is still in development. */
export type Train = {
  version: readonly [major: number, minor: number]
  title: string
  added: string[]
  fixed: string[]
}

export type ApplicationPlan = {
  slug: IconName
  name: string
  description: string
  packageName: string
  platforms: PlatformPlan[]
  ci: 'ghactions' | 'gitlab-ci' | 'jenkins'
  repository: string
  lead: PersonId
  team: Partial<Record<PersonId, 'admin' | 'developer' | 'qa' | 'readonly'>>
  /** The number of platforms that nightly builds cover, and the number of days between them. */
  nightly: { platforms: number; everyDays: number }
  labels: { name: string; color: string; description: string }[]
  targets: { name: string; platform: string; description: string }[]
  features: Feature[]
  trains: Train[]
  permissions?: string[]
}
