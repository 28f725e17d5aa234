import { Type, type Static } from 'typebox'
import type { Db } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import { ApplicationId, BuildId, Nullable, PathId, SizeBytes } from '../../../http/endpoint/fields.ts'
import {
  changeKinds,
  EntryTotals,
  UnreadableEntries,
} from '../../../inspection/comparison/comparison-schema.ts'
import type { ComparisonResult, EntryQuery } from '../../../inspection/comparison/comparison-schema.ts'
import { comparisonBusy } from '../../../inspection/comparison/run-comparison.ts'
import { damageProblems } from '../../../storage/damaged-file.ts'
import { objectSource } from '../../../storage/objects/object-source.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { listComparedFiles, type ComparedFileRow } from './comparison.db.ts'

export const comparisonParams = Type.Object({
  application_id: ApplicationId,
  build_id: BuildId,
  base_build_id: PathId('ID of the earlier build, of the same application.'),
})

export const comparisonProblems = [...storageProblems, ...damageProblems, comparisonBusy]

const FileOfBuild = Type.Object(
  { id: Type.String(), filename: Type.String(), size_bytes: SizeBytes },
  { title: 'ComparedFile' },
)

export const FileComparison = Type.Object(
  {
    before: Nullable(FileOfBuild),
    after: Nullable(FileOfBuild),
    shared_bytes: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'Bytes of the file of this build that are in chunks of the earlier file, so that `quayside download --reuse` does not transfer them. `null` if a chunk index is missing, or the chunks have other sizes.',
      }),
    ),
    totals: Nullable(EntryTotals),
    unreadable: Nullable(UnreadableEntries),
  },
  {
    title: 'FileComparison',
    description: '`totals` is `null` if the entries cannot be compared. `unreadable` then has the reason.',
  },
)

/** A file of each build, of which one can be missing. */
type FilePair = { before: ComparedFileRow | undefined; after: ComparedFileRow | undefined }

type PathCall = {
  db: Db
  actor: Actor
  params: { application_id: string; build_id: string; base_build_id: string }
}

/** Loads the pairs of files of the two builds that the path identifies. */
export async function requireFilePairsOfPath(call: PathCall) {
  const { params } = call
  const [{ build }] = await Promise.all([
    requireBuildOfPath(call),
    requireBuildOfPath({ ...call, params: { ...params, build_id: params.base_build_id } }),
  ])
  const files = await listComparedFiles(call.db, [params.base_build_id, params.build_id])
  const pairs = pairFiles(
    files.filter(({ build_id }) => build_id === params.base_build_id),
    files.filter(({ build_id }) => build_id === params.build_id),
  )
  return { build, pairs }
}

/** Pairs the primary files with each other, and expansion files by their names without the version. */
function pairFiles(before: readonly ComparedFileRow[], after: readonly ComparedFileRow[]): FilePair[] {
  const [old, current] = [byName(before), byName(after)]
  return [...new Set([...current.keys(), ...old.keys()])].map((name) => ({
    before: old.get(name),
    after: current.get(name),
  }))
}

const byName = (files: readonly ComparedFileRow[]) =>
  new Map(
    files.map((file) => {
      const { role, filename, version, build_number: number } = file
      const name = filename.replaceAll(version, '*').replaceAll(number ?? version, '*')
      return [role === 'primary' ? '' : name, file]
    }),
  )

/** Compares two files, and returns the selected entries. */
export async function compareFiles(
  { comparer, storage }: Pick<Deps, 'comparer' | 'storage'>,
  { before, after }: FilePair,
  { query, applicationId }: { query: EntryQuery; applicationId: string },
): Promise<ComparisonResult> {
  const stored = (object: ComparedFileRow['object']) => ({
    key: object.key,
    source: objectSource(storage, object),
  })
  const compared = (file: ComparedFileRow | undefined) =>
    file && { ...stored(file.object), index: file.index && stored(file.index) }
  return comparer.compare({
    before: compared(before),
    after: compared(after),
    query,
    owner: applicationId,
  })
}

export function fileComparisonResource(
  { before, after }: FilePair,
  { shared_bytes, totals, unreadable }: ComparisonResult,
): Static<typeof FileComparison> {
  return { before: fileOf(before), after: fileOf(after), shared_bytes, totals, unreadable }
}

const fileOf = (file: ComparedFileRow | undefined): Static<typeof FileOfBuild> | null =>
  file === undefined ? null : { id: file.id, filename: file.filename, size_bytes: file.size_bytes }

/** Selects all changes, the largest first. */
export const allChanges: EntryQuery = {
  kinds: changeKinds,
  search: '',
  sortBy: 'size_change',
  direction: 'desc',
  offset: 0,
  limit: 0,
}
