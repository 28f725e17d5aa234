import type { CSSProperties } from 'react'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/data-table.tsx'
import { CardLine } from '../table/table-row.tsx'
import classes from './chart-table.module.css'
import { formatValue, totalOf, type ChartValues } from './chart-values.ts'

type Props = { label: string; values: ChartValues }

type Row = { from: string; label: string; cells: (number | null)[] }

/** Shows the values of a chart as a table, newest first. */
export function ChartTable({ label, values: { periods, series, unit, hasTotal = false } }: Props) {
  const withTotal = hasTotal && series.length > 1
  const names = [...series.map(({ name }) => name), ...(withTotal ? ['Total'] : [])]
  const hasYears = new Set(periods.map(({ to }) => to.slice(0, 4))).size > 1
  const rows = periods
    .map(({ from, to, label: period }, index): Row => {
      const cells = series.map(({ values }) => values[index] ?? null)
      return {
        from,
        label: hasYears ? `${period}, ${to.slice(0, 4)}` : period,
        cells: withTotal ? [...cells, totalOf(series, index)] : cells,
      }
    })
    .toReversed()
  const columns: Column<Row>[] = [
    { id: 'period', label: 'Period', width: 'minmax(9.5rem, 1.2fr)', cell: (row) => row.label },
    ...names.map((name, index) => ({
      id: `value-${index}`,
      label: name,
      width: 'minmax(5rem, 1fr)',
      isAtEnd: true as const,
      cell: ({ cells }: Row) => <Value value={cells[index] ?? null} unit={unit} />,
    })),
  ]
  return (
    <div className={classes.scroll} role="group" aria-label={label} tabIndex={0}>
      <div className={classes.table} style={{ '--columns': names.length } as CSSProperties}>
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          keyOf={({ from }) => from}
          card={(row) => (
            <>
              <CardLine>
                <strong>{row.label}</strong>
              </CardLine>
              {names.map((name, index) => (
                <CardLine key={name}>
                  <span className="soft">{name}</span>
                  <Value value={row.cells[index] ?? null} unit={unit} />
                </CardLine>
              ))}
            </>
          )}
        />
      </div>
    </div>
  )
}

const Value = ({ value, unit }: { value: number | null; unit: ChartValues['unit'] }) => (
  <span className={value === null || value === 0 ? 'soft tabular' : 'tabular'}>
    {formatValue(value, unit)}
  </span>
)
