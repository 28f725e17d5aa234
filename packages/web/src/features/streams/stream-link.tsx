import { Link } from '@tanstack/react-router'
import { rowLink } from '../../ui/table/table-row.tsx'

type Props = { applicationId: string; stream: { name: string } }

/** The name of a stream in a table, whose row opens it. */
export const StreamLink = ({ applicationId, stream: { name } }: Props) => (
  <Link
    to="/applications/$applicationId/streams"
    params={{ applicationId }}
    search={{ stream: name }}
    {...rowLink}
  >
    {name}
  </Link>
)
