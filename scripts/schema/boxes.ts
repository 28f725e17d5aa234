import { areas, type Area } from './page.ts'
import type { ForeignKey, Schema, Table } from './read-migrations.ts'

export type Target = {
  table: string
  /** The key carries the application or workspace along. */
  isHeld: boolean
  isArrow: boolean
  colour: string
}
export type Row = { column: string; type: string; isKey: boolean; target?: Target }

const tenantTables = ['workspaces', 'applications'] as const
export type Box = {
  table: string
  area: Area
  areaColumn: number
  /** Belongs to a workspace, an application, or (both) to either. */
  tenants: (typeof tenantTables)[number][]
  rows: Row[]
}

type Place = { area: Area; areaColumn: number; table: string; columns: readonly string[] }

/** One box a table; a table without a place on the page and a place without a table are errors. */
export function boxesOf(schema: Schema): Box[] {
  const places = new Map(areas.flatMap((area) => placesIn(area)).map((place) => [place.table, place]))
  const homeless = [...schema.keys()].filter((name) => !places.has(name))
  if (homeless.length > 0) throw new Error(`give ${homeless.join(', ')} a place in scripts/schema/page.ts`)
  return [...places.values()].map((place) => boxOf(schema, places, place))
}

const placesIn = (area: Area): Place[] =>
  area.columns.flatMap((placed, areaColumn) =>
    placed.map(([table, ...columns]) => ({ area, areaColumn, table, columns })),
  )

function boxOf(schema: Schema, places: ReadonlyMap<string, Place>, place: Place): Box {
  const { area, areaColumn } = place
  const table = schema.get(place.table)
  if (table === undefined)
    throw new Error(`scripts/schema/page.ts places ${place.table}, which no migration makes`)
  const tenants = new Set<string>()
  const targets = new Map<string, Target>()
  for (const key of table.foreignKeys) {
    const target = places.get(key.table)
    const isArrow = target?.area === area && Math.abs(target.areaColumn - areaColumn) === 1
    const label = labelOf(key)
    const isTenant = tenantTables.some((name) => name === key.table)
    if (isTenant && !isArrow && !table.primaryKey.includes(label)) tenants.add(key.table)
    else {
      const colour = target?.area.colour ?? ''
      targets.set(label, { table: key.table, isHeld: key.columns.length > 1, isArrow, colour })
    }
  }
  const shown = new Set([...table.primaryKey, ...targets.keys(), ...place.columns])
  return {
    table: table.name,
    area,
    areaColumn,
    tenants: tenantTables.filter((name) => tenants.has(name)),
    rows: [...shown].map((column) => rowOf(table, column, targets.get(column))),
  }
}

function rowOf(table: Table, column: string, target: Target | undefined): Row {
  const type = table.columns.get(column)
  if (type === undefined)
    throw new Error(`scripts/schema/page.ts shows ${table.name}.${column}, which does not exist`)
  const row = { column, type, isKey: table.primaryKey.includes(column) }
  return target === undefined ? row : { ...row, target }
}

const isCarried = (column: string): boolean =>
  /^(application_id|workspace_id|platform|.*_owner_id)$/.test(column)

/** The column that a composite key is known by: not the tenant that it carries along. */
const labelOf = ({ columns }: ForeignKey): string =>
  columns.find((column) => !isCarried(column)) ?? columns[0] ?? ''
