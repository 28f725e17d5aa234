import { getRouteApi } from '@tanstack/react-router'
import type { InsightsSearch } from './insights.search.ts'

const route = getRouteApi('/console/applications/$applicationId/insights')
const separator = '.'

/** The state of the page, which is in its URL. */
export function useInsightsSearch() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const tables = new Set(search.tables?.split(separator))
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
    isTable: (chart: string) => tables.has(chart),
    toggleTable: (chart: string) => {
      const shown = tables.has(chart) ? [...tables].filter((id) => id !== chart) : [...tables, chart]
      change({ tables: shown.length === 0 ? undefined : shown.join(separator) })
    },
  }
}
