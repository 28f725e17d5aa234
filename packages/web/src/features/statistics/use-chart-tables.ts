import { useNavigate, useSearch } from '@tanstack/react-router'

const separator = '.'

/** Returns which charts of the page are shown as tables, which is in its URL. The route needs the parameter `tables`. */
export function useChartTables() {
  const { tables: shown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tables = new Set(shown?.split(separator))
  return {
    isTable: (chart: string) => tables.has(chart),
    toggleTable: (chart: string) => {
      const next = tables.has(chart) ? [...tables].filter((id) => id !== chart) : [...tables, chart]
      void navigate({
        to: '.',
        search: (before) => ({ ...before, tables: next.length === 0 ? undefined : next.join(separator) }),
        hash: true,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      })
    },
  }
}
