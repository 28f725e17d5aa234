import type { Build, FullRelease } from '@quayside/sdk'
import { useState } from 'react'
import { suggestVersion } from '../version.ts'

export type Publication = 'now' | 'scheduled' | 'draft'

export type NewRelease = {
  builds: readonly Build[]
  version: string
  title: string
  notes: string
  labels: string[]
  /** IDs of the groups to which the release is added; `true` if their members are notified. */
  groups: ReadonlyMap<string, boolean>
  /** IDs of the portals that show it. */
  portals: readonly string[]
  publication: Publication
  /** A local time as date inputs write it. */
  scheduledFor: string
}

/**
 * Keeps what was typed for a new release. The version and the title follow the builds until they are edited by hand.
 */
export function useNewRelease(applicationName: string, initialBuilds: readonly Build[]) {
  const [typed, setTyped] = useState<Partial<NewRelease>>({})
  const builds = typed.builds ?? initialBuilds
  const version = typed.version ?? suggestVersion(builds) ?? ''
  const values: NewRelease = {
    builds,
    version,
    title: typed.title ?? (version === '' ? '' : `${applicationName} ${version}`),
    notes: typed.notes ?? '',
    labels: typed.labels ?? [],
    groups: typed.groups ?? new Map<string, boolean>(),
    portals: typed.portals ?? [],
    publication: typed.publication ?? 'now',
    scheduledFor: typed.scheduledFor ?? '',
  }
  return {
    values,
    /** Whether something would be lost by leaving the page. */
    isDirty: Object.keys(typed).length > 0,
    set: (change: Partial<NewRelease>) => setTyped((previous) => ({ ...previous, ...change })),
  }
}

/** The outcome of creating a release. `failure` is the error of a later step, after which the release is a draft. */
export type Created = { release: FullRelease; notifiedCount: number; failure?: unknown }
