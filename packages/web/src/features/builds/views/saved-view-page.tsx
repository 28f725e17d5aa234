import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { BuildListPage } from '../list/build-list-page.tsx'
import { viewQuery } from './view.queries.ts'

const route = getRouteApi('/console/applications/$applicationId/views/$viewId')

/** The builds as a saved view shows them. While they are shown otherwise, the URL has everything that the list shows. */
export function SavedViewPage() {
  const { applicationId, viewId } = route.useParams()
  const { data: view } = useSuspenseQuery(viewQuery(applicationId, viewId))
  return <BuildListPage key={view.id} view={view} />
}
