import { formatBytes } from '../../../ui/format/bytes.ts'
import type { FileDifference } from './compare-builds.ts'
import classes from './compare.module.css'

/** Draws the sizes of the files of two builds as bars. */
export function FileSizes({ files }: { files: readonly FileDifference[] }) {
  const max = Math.max(1, ...files.flatMap(({ before = 0, after = 0 }) => [before, after]))
  return (
    <div>
      {files.map(({ name, before, after }) => (
        <div key={name} className={classes.file}>
          <span className={classes.name}>{name}</span>
          <SizeChange before={before} after={after} />
          <div className={classes.bars} aria-hidden>
            <span style={{ width: `${((before ?? 0) / max) * 100}%` }} />
            <span style={{ width: `${((after ?? 0) / max) * 100}%` }} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Writes how a size changed, in bytes and percent. */
export function SizeChange({ before, after }: Pick<FileDifference, 'before' | 'after'>) {
  if (after === undefined)
    return (
      <span className={classes.delta} data-removed>
        removed ({formatBytes(before ?? 0)})
      </span>
    )
  if (before === undefined)
    return (
      <span className={classes.delta} data-added>
        added ({formatBytes(after)})
      </span>
    )
  const change = after - before
  if (change === 0) return <span className={classes.delta}>{formatBytes(after)}, unchanged</span>
  const percent = before === 0 ? '' : `, ${change > 0 ? '+' : '−'}${percentText(Math.abs(change) / before)}`
  return (
    <span
      className={`${classes.delta} tabular`}
      data-grown={change > 0 || undefined}
      data-shrunk={change < 0 || undefined}
    >
      {formatBytes(before)} → {formatBytes(after)} ({change > 0 ? '+' : '−'}
      {formatBytes(Math.abs(change))}
      {percent})
    </span>
  )
}

const percentText = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
