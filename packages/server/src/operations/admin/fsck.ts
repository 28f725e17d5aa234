import type { Db } from '../../database/transaction.ts'
import { createQueue } from '../../jobs/queue.ts'
import { Problem } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import { sizeString } from '../../lib/sizes.ts'
import type { StoreDrivers } from '../../storage/custom/routed-driver.ts'
import type { QuarantinedKey, StorageDriver } from '../../storage/driver.ts'
import { assertSameInstallation } from '../../storage/installation/installation.ts'
import { checkFiles, type CheckOptions, type Finding } from '../fsck/check-files.ts'
import { listOrphans } from '../fsck/list-orphans.ts'
import { createRepairs } from '../fsck/repairs.ts'
import { adminCommand, type Terminal } from './command.ts'
import { openInstallation, withCustomStores } from './data-access.ts'
import { showProgress } from './show-progress.ts'
import {
  createUnusableStores,
  incompleteExitCode,
  printUnusableStores,
  storeToJson,
  type UnusableStores,
} from './unusable-stores.ts'

const maxListedOrphans = 20

export const fsck = adminCommand({
  name: 'fsck',
  summary: 'compare the database with the stored files',
  description: `Compare the database with the stored files: every row must have its bytes, and all bytes must belong to a row. Names the
build and the file of all damage. The server can be running.

Exit code 1 means that damage was found and not repaired. Exit code 3 means that no damage was found, but a custom store
could not be used, so its files were not checked.`,
  parameters: [],
  options: {
    deep: { description: 'read all files and compare them with their checksums' },
    repair: {
      description: `restore missing files from quarantine, remove deletion marks from files in use, compute
missing checksums, correct wrong ones, and report damaged files in the API; nothing is deleted`,
    },
    json: { description: 'print the result as JSON' },
  },
  examples: ['quayside-server admin fsck', 'quayside-server admin fsck --deep --repair'],
  async run({ config: settings, options, terminal, log, closers }) {
    const installation = await openInstallation(settings, { log, closers })
    const { connection, db } = installation
    const unusable = createUnusableStores()
    const { storage, stores } = await withCustomStores(installation, { log, closers, unusable })
    await findUnusableStores(stores, { db, unusable })
    const jobs = createQueue({
      connection,
      runsJobs: false,
      onError: (error) => log.warn({ reason: error.message }, 'job queue error'),
    })
    if (options.repair) {
      await jobs.start([], { db, isSoleService: false })
      closers.push(() => jobs.stop())
    }
    const startedAt = performance.now()
    const { findings, checked } = await checkUsableStores(
      { db, storage, unusable },
      {
        isDeep: options.deep,
        repairs: options.repair ? createRepairs({ db, queue: jobs.queue }) : undefined,
        print: options.json ? () => {} : (finding) => terminal.print(describeFinding(finding)),
        show: showProgress(terminal),
      },
    )
    const orphans = await findOrphans(db, storage)
    const remaining = findings.filter(({ repair }) => repair === undefined)
    const unrepaired = remaining.length
    const skipped = await unusable.list(db)
    const { objects, sizeBytes } = checked
    const seconds = (performance.now() - startedAt) / 1000
    if (options.json) {
      const result = { objects, size_bytes: sizeBytes, is_deep: options.deep, seconds: Math.round(seconds) }
      terminal.print(
        JSON.stringify(
          {
            ...result,
            findings: findings.map(toJson),
            orphans: orphans.count,
            unrepaired,
            is_complete: skipped.length === 0,
            unusable_stores: skipped.map(storeToJson),
          },
          undefined,
          2,
        ),
      )
    } else {
      printSummary(terminal, { objects, sizeBytes, isDeep: options.deep, seconds })
      printOrphans(terminal, orphans)
      printResult(terminal, { found: findings.length, remaining, isRepairing: options.repair })
      printUnusableStores(terminal, skipped, 'The check')
    }
    if (unrepaired > 0) return 1
    return skipped.length === 0 ? 0 : incompleteExitCode
  },
})

/** Adds the stores that do not respond or belong to another installation, whose files would seem to be missing. */
async function findUnusableStores(
  stores: StoreDrivers,
  { db, unusable }: { db: Db; unusable: UnusableStores },
): Promise<void> {
  for (const id of await stores.listIds()) {
    try {
      await assertSameInstallation(db, (await stores.open(id)).identity)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      unusable.add(id, error)
    }
  }
}

type Checks = Pick<CheckOptions, 'isDeep' | 'repairs'> & {
  print: (finding: Finding) => void
  show: (progress: Progress) => void
}

/** Checks the files, except for those in custom stores that cannot be used. Returns the findings and what was checked. */
async function checkUsableStores(
  { db, storage, unusable }: { db: Db; storage: StorageDriver; unusable: UnusableStores },
  { isDeep, repairs, print, show }: Checks,
) {
  const findings: Finding[] = []
  const checked = { objects: 0, sizeBytes: 0 }
  const unchecked = { objects: 0, sizeBytes: 0 }
  await checkFiles({
    db,
    storage,
    isDeep,
    repairs,
    quarantined: await listQuarantinedObjects(storage),
    isUnusable: unusable.contains,
    onFinding(finding) {
      findings.push(finding)
      print(finding)
    },
    onUnchecked(object) {
      unchecked.objects += 1
      unchecked.sizeBytes += object.sizeBytes
      unusable.count(object)
    },
    onProgress(progress) {
      checked.objects = progress.done - unchecked.objects
      checked.sizeBytes = (progress.doneBytes ?? 0) - unchecked.sizeBytes
      // The result has the totals.
      if (!progress.isComplete) show(progress)
    },
  })
  return { findings, checked }
}

/** The first keys to which no row refers, and the number of all. */
type Orphans = { listed: string[]; count: number }

async function findOrphans(db: Db, storage: StorageDriver): Promise<Orphans> {
  const listed: string[] = []
  let count = 0
  for await (const { key, state } of listOrphans(db, storage, new Date())) {
    count += 1
    if (listed.length < maxListedOrphans) listed.push(`${key} (${state})`)
  }
  return { listed, count }
}

async function listQuarantinedObjects(storage: StorageDriver): Promise<Map<string, QuarantinedKey>> {
  const found = new Map<string, QuarantinedKey>()
  for await (const quarantined of storage.listQuarantined())
    if (quarantined.state === 'sealed') found.set(quarantined.key, quarantined)
  return found
}

/** Returns a line such as `missing: app.apk of build 1a2b3c (1.2.3) of "My app", 3.39 MB: …`. */
function describeFinding({ problem, key, sizeBytes, owner, detail, repair }: Finding): string {
  const size = sizeString(sizeBytes)
  return `${problem}: ${describeOwner(owner)}, ${size}, key ${key}: ${detail}${repair === undefined ? '' : `; repaired: ${repair}`}`
}

const computedParts: Record<string, string> = {
  chunk_indexes: 'the chunk index for ',
  file_patches: 'the patch to ',
}

function describeOwner(owner: Finding['owner']): string {
  if (owner === undefined) return 'a file that no row refers to'
  const { table, id, filename, buildId, version, application } = owner
  if (buildId === null) return `the file of a row of ${table}${id === '' ? '' : ` with ID ${id}`}`
  const file = filename === null ? 'the icon' : `"${filename}"`
  const name = (computedParts[table] ?? '') + file
  return `${name} of build ${buildId} (version ${version} of "${application}")`
}

const toJson = ({ problem, key, sizeBytes, owner, detail, repair }: Finding) => ({
  problem,
  key,
  size_bytes: sizeBytes,
  table: owner?.table ?? null,
  id: owner?.id ?? null,
  filename: owner?.filename ?? null,
  build_id: owner?.buildId ?? null,
  application: owner?.application ?? null,
  detail,
  repair: repair ?? null,
})

type Checked = { objects: number; sizeBytes: number; isDeep: boolean; seconds: number }

function printSummary(terminal: Terminal, { objects, sizeBytes, isDeep, seconds }: Checked): void {
  const files = `${objects} ${objects === 1 ? 'file' : 'files'} (${sizeString(sizeBytes)})`
  const speed = isDeep && seconds >= 1 ? `, ${sizeString(Math.round(sizeBytes / seconds))}/s` : ''
  terminal.print(`Checked ${files} in ${seconds.toFixed(1)} s${speed}.`)
}

function printOrphans(terminal: Terminal, { listed, count }: Orphans): void {
  if (count === 0) return
  terminal.print(`No row refers to ${count} stored ${count === 1 ? 'key' : 'keys'}: ${listed.join(', ')}.`)
  terminal.print(
    'This is not damage. Run quayside-server admin sweep to quarantine them, or wait for the next night.',
  )
}

function printResult(
  terminal: Terminal,
  { found, remaining, isRepairing }: { found: number; remaining: readonly Finding[]; isRepairing: boolean },
): void {
  if (found === 0) terminal.print('No damage found.')
  else if (remaining.length === 0) terminal.print(`Repaired ${found}. No other damage found.`)
  else
    terminal.print(
      `Damage found: ${found}, of which ${found - remaining.length} were repaired. ${adviceFor(remaining, isRepairing)}`,
    )
}

function adviceFor(remaining: readonly Finding[], isRepairing: boolean): string {
  if (remaining.every(({ problem }) => problem === 'unreadable'))
    return 'Check the network and any proxy between the server and the store, then run the command again.'
  return isRepairing
    ? 'Restore the other files from a backup.'
    : 'Run the command with --repair, then restore the other files from a backup.'
}
