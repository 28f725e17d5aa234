import type { Label } from '@quayside/sdk'
import type { FilterOption } from '../../ui/menu/filter-menu.tsx'
import { LabelDot } from '../../ui/status/label-dot.tsx'

/** Returns an option for each name. Filters by name include labels of the application and of the workspace. */
export function labelOptions(labels: readonly Label[]): FilterOption[] {
  const byName = new Map(labels.map((label) => [label.name, label]))
  return [...byName.values()].map(({ name, color }) => ({
    value: name,
    label: name,
    icon: <LabelDot name="" color={color} />,
  }))
}
