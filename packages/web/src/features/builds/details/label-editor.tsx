import type { FullBuild } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { FilterMenu } from '../../../ui/menu/filter-menu.tsx'
import { LabelDot } from '../../../ui/status/label-dot.tsx'
import { showFailure } from '../../../ui/toast.tsx'
import { labelsQuery } from '../../labels/label.queries.ts'
import { buildChanges } from '../build-changes.ts'
import { buildQuery } from '../build.queries.ts'
import { useBuildChange } from './use-build-change.ts'

/** Adds and removes labels of a build, and creates labels. */
export function LabelEditor({ build }: { build: FullBuild }) {
  const applicationId = build.application_id
  const queryClient = useQueryClient()
  const change = useBuildChange(build)
  const { data: labels = [] } = useQuery(labelsQuery(applicationId))
  const values = build.labels.map(({ id }) => id)

  async function create(name: string): Promise<void> {
    try {
      const { data } = await api.replaceBuildLabels({
        application_id: applicationId,
        build_id: build.id,
        body: { labels: [...values, name] },
      })
      queryClient.setQueryData(buildQuery(applicationId, build.id).queryKey, data)
      await queryClient.invalidateQueries({ queryKey: labelsQuery(applicationId).queryKey })
    } catch (error) {
      showFailure(error)
    }
  }

  function onChange(next: readonly string[]): void {
    const added = next.find((value) => !values.includes(value))
    const removed = build.labels.find(({ id }) => !next.includes(id))
    if (removed !== undefined) void change(buildChanges.unlabel(removed))
    if (added === undefined) return
    const label = labels.find(({ id }) => id === added)
    if (label === undefined) void create(added)
    else void change(buildChanges.label(label))
  }

  return (
    <FilterMenu
      label="Label"
      options={labels.map(({ id, name, color }) => ({
        value: id,
        label: name,
        icon: <LabelDot name="" color={color} />,
      }))}
      values={values}
      onChange={onChange}
      allowsOther
      isCompact
    />
  )
}
