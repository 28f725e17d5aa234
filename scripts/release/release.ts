import type { ReleaseKey } from './signatures/release-key.ts'

/** What every step of a release knows. All steps write their artifacts to `folder`. */
export type Release = {
  /** The root of the checkout. */
  root: string
  folder: string
  version: string
  /** The Git commit from which the release is built. */
  commit: string
  /** The date of the commit, which all artifacts have, so that another run creates the same bytes. */
  committedAt: Date
  /** The URL from which the installers download the release if no other is selected. */
  url: string | undefined
  /** The key with which the release is signed, or undefined for an unsigned release. */
  key: ReleaseKey | undefined
  /** Whether archives and packages are compressed only a little, which takes a fraction of the time. */
  isFast: boolean
  /** Identifies in the provenance who ran the build. */
  builder: string
  log: (line: string) => void
}

/** A step of a release. Steps run in the order of `steps.ts`, and later ones read the artifacts of earlier ones. */
export type Step = { name: string; run: (release: Release) => Promise<void> }
