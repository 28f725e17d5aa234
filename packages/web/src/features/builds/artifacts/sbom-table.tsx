import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { buildText } from '../../../text/builds/build.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { IconSearch } from '../../../ui/icons/icons.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import classes from './artifacts.module.css'
import type { Sbom } from './sbom.ts'

const maxRows = 500

type Line = Sbom['components'][number] & { position: number }

const columns: readonly Column<Line>[] = [
  {
    id: 'component',
    label: 'Component',
    width: 'minmax(0, 2fr)',
    hasLines: true,
    cell: ({ name, url }) => <span title={url}>{name}</span>,
  },
  {
    id: 'version',
    label: 'Version',
    width: 'minmax(0, 1fr)',
    hasLines: true,
    cell: ({ version }) => version || '–',
  },
  {
    id: 'license',
    label: 'License',
    width: 'minmax(0, 1fr)',
    hasLines: true,
    cell: ({ licenses }) => licenses || '–',
  },
]

/** Lists the components of a bill of materials, with a search. */
export function SbomTable({ sbom }: { sbom: Sbom }) {
  const [search, setSearch] = useState('')
  const needle = search.trim().toLowerCase()
  const components = sbom.components.map((component, position) => ({ ...component, position }))
  const found = components.filter(({ name, version, licenses, url }) =>
    `${name} ${version} ${licenses} ${url}`.toLowerCase().includes(needle),
  )
  return (
    <>
      <div className={classes.summary}>
        <strong>{sbom.title}</strong>
        <span>{plural(sbom.components.length, 'component')}</span>
        <TextInput
          size="xs"
          ml="auto"
          placeholder="Name, version or license"
          aria-label="Search the components"
          leftSection={<IconSearch size={14} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Components">
        <DataTable
          label="Components"
          columns={columns}
          rows={found.slice(0, maxRows)}
          keyOf={({ position }) => String(position)}
        />
      </div>
      {found.length > maxRows && <p className={classes.meta}>{buildText.artifacts.firstOnly(maxRows)}</p>}
      {found.length === 0 && <p className={classes.meta}>{buildText.artifacts.noComponent}</p>}
    </>
  )
}
