import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import type { BuildDownload, Change, ChangedBuild, ChangedRelease } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { formatSize } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { safeFolderName } from '../../transfer/safe-name.ts'
import { followChanges } from './change-signal.ts'
import { buildPath, copyBuild, planCopy } from './copy-build.ts'
import type { CopyPlan, FetchLinks } from './copy-build.ts'
import { openMirrorFolder, writeJson } from './mirror-folder.ts'
import type { MirrorFolder, MirrorState, Noun } from './mirror-folder.ts'

export type MirrorOptions = {
  watch?: boolean
  once?: boolean
  interval: number
  jobs: number
  keepDeleted?: boolean
}

type Summary = {
  copied: number
  updated: number
  deleted: number
  releases: number
  received_bytes: number
}

/** Copies the builds and releases of an application to a folder, continuously if `--watch` is set. */
export async function runMirror(
  context: CommandContext,
  application: string,
  path: string,
  options: MirrorOptions,
): Promise<void> {
  if (options.watch === true && options.once === true)
    throw new Failure('usage', 'Use either --once or --watch, not both.')
  const selected = { ...context, settings: { ...context.settings, application } }
  const applicationId = await requireApplicationId(selected)
  const target = resolve(context.runtime.cwd, path)
  const { folder, release } = await openMirrorFolder(target)
  try {
    const mirror = new Mirror(context, folder, options, await loadState(folder, applicationId, path))
    await folder.removeDiscarded()
    if (options.watch === true)
      await watch(context, mirror, { applicationId, intervalSeconds: options.interval })
    else {
      const summary = await mirror.catchUp()
      context.output.result({ application_id: applicationId, folder: target, ...summary }, () =>
        describe(summary),
      )
    }
  } finally {
    release()
  }
}

async function loadState(folder: MirrorFolder, applicationId: string, path: string): Promise<MirrorState> {
  const state = await folder.loadState()
  if (state !== undefined && state.application_id !== applicationId)
    throw new Failure(
      'failed',
      `${path} is a mirror of the application ${state.application_id}. Choose another folder for ${applicationId}.`,
    )
  // If the state file is missing or damaged, entries from an earlier run may be outdated. Entries that the feed does
  // not list must therefore be deleted.
  if (state !== undefined) return state
  const initial = { application_id: applicationId, cursor: null, round: Date.now(), sweeping: true }
  // The state is saved before anything is copied, so that the folder belongs to the application even if this run is
  // interrupted.
  await folder.saveState(initial)
  return initial
}

type Watch = { applicationId: string; intervalSeconds: number }

async function watch(context: CommandContext, mirror: Mirror, { applicationId, intervalSeconds }: Watch) {
  const changes = followChanges(context, applicationId)
  let isFirst = true
  for (;;) {
    try {
      const summary = await mirror.catchUp()
      const hasChanges = Object.values(summary).some((count) => count > 0)
      if (hasChanges && context.settings.json) context.runtime.stdout.write(`${JSON.stringify(summary)}\n`)
      else if (hasChanges || isFirst) context.output.note(describe(summary))
      if (isFirst) context.output.note('Waiting for changes.')
      isFirst = false
    } catch (error) {
      context.signal.throwIfAborted()
      if (!isTemporary(error)) throw error
      context.output.note(`${error.message} Trying again in ${intervalSeconds} s.`)
    }
    await changes.wait(intervalSeconds * 1000)
  }
}

const isTemporary = (error: unknown): error is Error =>
  error instanceof QuaysideUnreachableError ||
  (error instanceof QuaysideError && (error.status === 429 || error.status >= 500)) ||
  (error instanceof Failure && error.kind === 'unreachable')

const describe = ({ copied, updated, deleted, releases, received_bytes }: Summary): string =>
  copied + updated + deleted + releases === 0
    ? 'The mirror is up to date.'
    : `Builds: ${copied} copied, ${updated} updated, ${deleted} deleted. Releases: ${releases} changed. Received ${formatSize(received_bytes)}.`

class Mirror {
  readonly #context: CommandContext
  readonly #folder: MirrorFolder
  readonly #options: MirrorOptions
  #state: MirrorState

  constructor(context: CommandContext, folder: MirrorFolder, options: MirrorOptions, state: MirrorState) {
    this.#context = context
    this.#folder = folder
    this.#options = options
    this.#state = state
  }

  /** Processes all pending changes. */
  async catchUp(): Promise<Summary> {
    const summary = { copied: 0, updated: 0, deleted: 0, releases: 0, received_bytes: 0 }
    const { signal } = this.#context
    for (;;) {
      const page = await this.#nextPage()
      if (page === undefined) continue
      await this.#apply(page.data, summary)
      signal.throwIfAborted()
      if (!page.has_more && this.#state.sweeping) await this.#sweep(summary)
      const sweeping = page.has_more && this.#state.sweeping
      await this.#save({ cursor: page.cursor, sweeping })
      if (!page.has_more) return summary
    }
  }

  async #save(changes: Partial<MirrorState>): Promise<void> {
    const state = { ...this.#state, ...changes }
    // Polling a feed without new changes leaves the state unchanged, so it is not saved again.
    if (JSON.stringify(state) !== JSON.stringify(this.#state)) await this.#folder.saveState(state)
    this.#state = state
  }

  /** Returns the next page, or undefined if the feed must be read from the beginning. */
  async #nextPage() {
    const { application_id, cursor } = this.#state
    const client = this.#context.client()
    try {
      return await client.listChanges(
        { application_id, ...(cursor === null ? {} : { cursor }) },
        { signal: this.#context.signal },
      )
    } catch (error) {
      if (cursor === null || !(error instanceof QuaysideError) || error.status !== 410) throw error
      this.#context.output.note(`${error.message} Comparing the mirror with all builds.`)
      await this.#save({ cursor: null, round: this.#state.round + 1, sweeping: true })
      return undefined
    }
  }

  async #apply(changes: Change[], summary: Summary): Promise<void> {
    const plans: CopyPlan[] = []
    for (const { type, id, build, release } of changes) {
      if (build !== null) plans.push(await planCopy(this.#folder, build, this.#context.agents))
      else if (release !== null) await this.#copyRelease(release, summary)
      else await this.#delete(type === 'build' ? 'builds' : 'releases', id, summary)
    }
    const fetchLinks = this.#linksTo(
      plans.filter(({ missing }) => missing.length > 0).map(({ build }) => build.id),
    )
    const remaining = plans.values()
    const work = async () => {
      for (const plan of remaining) await this.#copy(plan, fetchLinks, summary)
    }
    const jobs = await Promise.allSettled(Array.from({ length: this.#options.jobs }, work))
    const failed = jobs.find((job) => job.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async #copy(plan: CopyPlan, fetchLinks: FetchLinks, summary: Summary): Promise<void> {
    this.#context.signal.throwIfAborted()
    const received = await copyBuild(this.#context, this.#folder, plan, this.#state.round, fetchLinks)
    if (received === undefined) return
    summary.received_bytes += received
    summary[plan.entry === undefined ? 'copied' : 'updated']++
    const size = received > 0 ? ` (${formatSize(received)})` : ''
    this.#context.output.note(`${plan.entry === undefined ? 'Copied' : 'Updated'} ${plan.target}${size}`)
  }

  /**
   * Returns a function that fetches the download links for a build. The first call fetches the links for all of these
   * builds at once; `fresh` requests new links for a single build.
   */
  #linksTo(ids: string[]): FetchLinks {
    const request = async (build_ids: string[]): Promise<Map<string, BuildDownload>> => {
      const { data } = await this.#context
        .client()
        .createBuildDownloads(
          { application_id: this.#state.application_id, body: { build_ids } },
          { signal: this.#context.signal, idempotent: true },
        )
      return new Map(data.map((links) => [links.build_id, links]))
    }
    let all: Promise<Map<string, BuildDownload>> | undefined
    return async (id, fresh) => (await (fresh ? request([id]) : (all ??= request(ids)))).get(id)
  }

  async #copyRelease(release: ChangedRelease, summary: Summary): Promise<void> {
    const { round } = this.#state
    const entry = await this.#folder.loadEntry('releases', release.id)
    const target = join('releases', `${safeFolderName(release.version)}_${release.id}.json`)
    const paths = [...new Set([...(entry?.paths ?? []), target])]
    await this.#folder.saveEntry('releases', release.id, { paths, files: {}, round })
    await writeJson(this.#folder.path(target), release)
    for (const path of paths) if (path !== target) await this.#folder.discard(path)
    await this.#folder.saveEntry('releases', release.id, { paths: [target], files: {}, round })
    summary.releases++
  }

  async #delete(noun: Noun, id: string, summary: Summary): Promise<void> {
    const wasKept = noun === 'builds' && this.#options.keepDeleted === true && (await this.#moveToDeleted(id))
    if (!wasKept && !(await this.#folder.remove(noun, id))) return
    summary[noun === 'builds' ? 'deleted' : 'releases']++
    this.#context.output.note(`Deleted ${noun === 'builds' ? 'build' : 'release'} ${id}`)
  }

  async #moveToDeleted(id: string): Promise<boolean> {
    const entry = await this.#folder.loadEntry('builds', id)
    const home = await this.#folder.firstExisting(entry?.paths ?? [])
    if (entry === undefined || home === undefined) return false
    const build = JSON.parse(await readFile(this.#folder.path(home, 'build.json'), 'utf8')) as ChangedBuild
    const target = buildPath('deleted', build)
    if (home === target) return true
    await this.#folder.saveEntry('builds', id, { ...entry, paths: [home, target] })
    await this.#folder.move(home, target)
    await this.#folder.saveEntry('builds', id, { ...entry, paths: [target] })
    return true
  }

  /** Deletes the resources that the feed did not list when it was read from the beginning. */
  async #sweep(summary: Summary): Promise<void> {
    for (const noun of ['builds', 'releases'] as const)
      for await (const id of this.#folder.entries(noun)) {
        const entry = await this.#folder.loadEntry(noun, id)
        const isKept = entry?.paths.every((path) => path.startsWith('deleted')) === true
        if (entry?.round !== this.#state.round && !isKept) await this.#delete(noun, id, summary)
      }
  }
}
