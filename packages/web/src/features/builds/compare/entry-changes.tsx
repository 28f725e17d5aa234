import type { FileComparison, FullBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { buildText } from '../../../text/builds/build.ts'
import { formatBytes, plural } from '../../../ui/format/bytes.ts'
import { Loaded } from '../../../ui/loading/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { changeKinds, comparisonQuery, type ComparedBuilds } from './comparison.queries.ts'
import classes from './entry-changes.module.css'
import { EntryTable } from './entry-table.tsx'

type Props = { before: FullBuild; after: FullBuild }

/** Which entries of the archives of two builds changed. */
export function EntryChanges({ before, after }: Props) {
  const builds = { application_id: after.application_id, base_build_id: before.id, build_id: after.id }
  const query = useQuery(comparisonQuery(builds))
  return (
    <Section title={buildText.compare.entries}>
      <Loaded query={query} rows={3}>
        {(files) =>
          files.map((file) => (
            <div key={(file.after ?? file.before)?.id} className={classes.file}>
              {files.length > 1 && (
                <h3 className={classes.filename}>{(file.after ?? file.before)?.filename}</h3>
              )}
              <ComparedFile builds={builds} file={file} />
            </div>
          ))
        }
      </Loaded>
    </Section>
  )
}

type FileProps = { builds: ComparedBuilds; file: FileComparison }

function ComparedFile({ builds, file }: FileProps) {
  const { before, after, totals, unreadable, shared_bytes: shared } = file
  const fileId = (after ?? before)?.id
  const reused = shared !== null && after !== null && (
    <p className={classes.reused}>
      {buildText.compare.reused(formatBytes(shared), formatBytes(after.size_bytes))}
    </p>
  )
  if (totals === null || fileId === undefined)
    return (
      <>
        <Notice kind="info">
          {buildText.compare.unreadable[unreadable?.code ?? 'failed'](
            (unreadable?.build === 'before' ? before : after)?.filename ?? '',
          )}
        </Notice>
        {reused}
      </>
    )
  const changedCount = changeKinds.reduce((sum, kind) => sum + totals[kind].entry_count, 0)
  return (
    <>
      {changedCount > 0 && <TotalsBar totals={totals} />}
      {reused}
      {changedCount === 0 ? (
        <p className={classes.same}>{buildText.compare.sameEntries}</p>
      ) : (
        <EntryTable builds={builds} fileId={fileId} />
      )}
    </>
  )
}

const kinds = [...changeKinds, 'unchanged'] as const

type Totals = NonNullable<FileComparison['totals']>

/** Draws the bytes of all entries as one bar, and lists them with their numbers. */
function TotalsBar({ totals }: { totals: Totals }) {
  const shown = kinds
    .map((kind) => ({ kind, ...totals[kind] }))
    .filter(({ entry_count: count }) => count > 0)
    .map((each) => ({ ...each, bytes: Math.max(each.size_before_bytes, each.size_after_bytes) }))
  const sum = Math.max(
    1,
    shown.reduce((total, { bytes }) => total + bytes, 0),
  )
  return (
    <div className={classes.totals}>
      <div className={classes.bar} aria-hidden>
        {shown.map(({ kind, bytes }) => (
          <span key={kind} data-change={kind} style={{ flexGrow: bytes / sum }} />
        ))}
      </div>
      <ul className={classes.legend} aria-label="Totals">
        {shown.map(({ kind, entry_count: count, bytes }) => (
          <li key={kind} data-change={kind}>
            <b>{buildText.compare.kinds[kind]}</b> {plural(count, 'entry', 'entries')}, {formatBytes(bytes)}
          </li>
        ))}
      </ul>
    </div>
  )
}
