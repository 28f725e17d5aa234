import { getRouteApi } from '@tanstack/react-router'
import type { InsightsSearch } from './insights.search.ts'

const route = getRouteApi('/console/applications/$applicationId/insights')

/** The state of the page, which is in its URL. */
export function useInsightsSearch() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (changes: Partial<InsightsSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...changes }),
      hash: true,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  return {
    ...search,
    change,
  }
}
