import { VisuallyHidden } from '@mantine/core'

/** Shows one value per series of a chart to screen readers. */
export function SeriesTable({
  label,
  rows,
}: {
  label: string
  rows: readonly { name: string; value: string }[]
}) {
  return (
    <VisuallyHidden>
      <table>
        <caption>{label}</caption>
        <tbody>
          {rows.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
