import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { plural } from '../../../ui/bytes.ts'
import classes from './artifacts.module.css'
import type { Sbom } from './sbom.ts'

const maxRows = 500

/** Lists the components of a bill of materials, with a search. */
export function SbomTable({ sbom }: { sbom: Sbom }) {
  const [search, setSearch] = useState('')
  const needle = search.trim().toLowerCase()
  const found = sbom.components.filter(({ name, version, licenses, url }) =>
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
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Component</th>
              <th>Version</th>
              <th>License</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, maxRows).map(({ name, version, licenses, url }, index) => (
              <tr key={`${index} ${url}`}>
                <td title={url}>{name}</td>
                <td>{version || '–'}</td>
                <td>{licenses || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > maxRows && (
        <p className={classes.meta}>Showing the first {maxRows}. Search to find the others.</p>
      )}
      {found.length === 0 && <p className={classes.meta}>No component matches.</p>}
    </>
  )
}
