import { ActionIcon, Skeleton } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { insightsText } from '../../text/insights.ts'
import { csvRows, hasEnoughPoints, type ChartValues } from '../../ui/charts/chart-values.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { csvFile, csvType } from '../../ui/format/csv.ts'
import { Hint } from '../../ui/hint.tsx'
import { IconDownload, IconLink, IconTable } from '../../ui/icons/icons.ts'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { saveFile } from '../../ui/save-file.ts'
import { showDone, showFailure } from '../../ui/toast.tsx'
import classes from './insight-chart.module.css'
import type { PeriodUnit } from './periods.ts'
import { useChartTables } from './use-chart-tables.ts'

const ChartTable = lazyPart(async () => (await import('../../ui/charts/chart-table.tsx')).ChartTable)

export const chartHeight = 220
/** The height of the names of the colors below a chart, if they are on one line. */
const legendHeight = 26

type Props = {
  /** Names the chart in the URL. */
  id: string
  title: string
  detail?: string
  values: ChartValues
  /** The sentence to show if there is nothing to draw. */
  empty: string
  /** What a value belongs to. */
  unit: PeriodUnit
  isWide?: boolean
  /** Controls between the title and the chart. */
  controls?: ReactNode
  /** What is below the chart and its table. */
  footer?: ReactNode
  /** The chart. */
  children: ReactNode
}

/** A chart with an address of its own, whose values can be read as a table and saved as a CSV file. */
export function InsightChart(props: Props) {
  const { id, title, detail, values, controls, footer, isWide = false } = props
  const { isTable, toggleTable } = useChartTables()
  const hasValues = values.series.some((one) => one.values.some((value) => (value ?? 0) > 0))
  const asTable = isTable(id) && hasValues
  return (
    <InsightFrame
      id={id}
      title={title}
      detail={detail}
      isWide={isWide || (asTable && values.series.length > maxColumns)}
      actions={hasValues && <ChartActions {...props} isTable={asTable} onTable={() => toggleTable(id)} />}
    >
      {controls}
      <ChartBody {...props} hasValues={hasValues} isTable={asTable} />
      {footer}
    </InsightFrame>
  )
}

type FrameProps = Pick<Props, 'id' | 'title' | 'isWide' | 'children'> & {
  detail?: string | undefined
  actions?: ReactNode
}

/** A part of the page with a title that links to it. */
export function InsightFrame({ id, title, detail, isWide = false, actions, children }: FrameProps) {
  const isChosen = useLocation({ select: ({ hash }) => hash === id })
  const ref = useRef<HTMLElement>(null)
  // The router scrolls only to what is on the page before its data is loaded.
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView()
  }, [isChosen])
  return (
    <section
      ref={ref}
      id={id}
      aria-labelledby={`${id}-title`}
      className={classes.chart}
      data-wide={isWide || undefined}
      data-chosen={isChosen || undefined}
    >
      <div className={classes.head}>
        <h2 className={classes.title} id={`${id}-title`}>
          <Link to="." search={true} hash={id} replace resetScroll={false}>
            {title}
          </Link>
        </h2>
        {detail !== undefined && <span className={classes.detail}>{detail}</span>}
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}

/** A table with more columns needs the width of the page. */
const maxColumns = 4

export function CopyLinkButton({ id, title }: Pick<Props, 'id' | 'title'>) {
  return (
    <Hint label={insightsText.copyLink}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`${insightsText.copyLink}: ${title}`}
        onClick={() => void copyLink(id)}
      >
        <IconLink size={16} />
      </ActionIcon>
    </Hint>
  )
}

/** Copies the URL of the page as it is, with the chart that it opens at. */
function copyLink(id: string): Promise<void> {
  const url = new URL(location.href)
  url.hash = id
  return copyText(url.href).then(() => showDone(insightsText.linkCopied), showFailure)
}

type ActionsProps = Pick<Props, 'id' | 'title' | 'values'> & { isTable: boolean; onTable: () => void }

function ChartActions({ id, title, values, isTable, onTable }: ActionsProps) {
  const [from, to] = [values.periods[0]?.from, values.periods.at(-1)?.to]
  const download = () => saveFile(`${id}-${from}-${to}.csv`, csvFile(csvRows(values)), csvType)
  return (
    <>
      <Hint label={insightsText.table}>
        <ActionIcon
          variant={isTable ? 'light' : 'subtle'}
          color={isTable ? undefined : 'gray'}
          aria-pressed={isTable}
          aria-label={`${insightsText.table}: ${title}`}
          onClick={onTable}
        >
          <IconTable size={16} />
        </ActionIcon>
      </Hint>
      <Hint label={insightsText.downloadCsv}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${insightsText.downloadCsv}: ${title}`}
          onClick={download}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Hint>
      <CopyLinkButton id={id} title={title} />
    </>
  )
}

type BodyProps = Pick<Props, 'title' | 'values' | 'empty' | 'unit' | 'children'> & {
  hasValues: boolean
  isTable: boolean
}

function ChartBody({ title, values, empty, unit, children, hasValues, isTable }: BodyProps) {
  if (!hasValues) return <p className={classes.nothing}>{empty}</p>
  if (!isTable && !hasEnoughPoints(values))
    return <p className={classes.nothing}>{insightsText.later(unit)}</p>
  return (
    <Suspense fallback={<Skeleton height={chartHeight + legendHeight} />}>
      {isTable ? <ChartTable label={title} values={values} /> : children}
    </Suspense>
  )
}
