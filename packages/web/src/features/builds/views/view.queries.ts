import type { View } from '@quayside/sdk'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { applicationKey, pinsKey } from '../../../api/query-keys.ts'
import { useSession } from '../../../api/session.ts'
import { viewText } from '../../../text/builds/views.ts'
import { showFailure, showUndo } from '../../../ui/toast.tsx'

/** The views of the team and of the person, by name. */
export const viewsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'views', 'list'),
    queryFn: async ({ signal }) => (await api.listViews({ application_id: applicationId }, { signal })).data,
  })

export const viewQuery = (applicationId: string, viewId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'views', 'one', viewId),
    queryFn: async ({ signal }) =>
      (await api.getView({ application_id: applicationId, view_id: viewId }, { signal })).data,
  })

/** Returns a function that reloads the views of an application wherever they are shown. */
export function useViewsChanged(applicationId: string) {
  const queryClient = useQueryClient()
  return async (view?: View) => {
    if (view !== undefined) queryClient.setQueryData(viewQuery(applicationId, view.id).queryKey, view)
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: viewsQuery(applicationId).queryKey }),
      queryClient.invalidateQueries({ queryKey: pinsKey }),
    ])
  }
}

/** Returns whether the person may change a view: their own, or one of the team if they may change builds. */
export function useMayChange({ visibility, application_id }: View): boolean {
  const { can } = useSession()
  return visibility === 'personal' || can('builds:write', application_id)
}

/** Returns a function that deletes a view, shows the list without it, and offers to restore it. */
export function useDeleteView({ application_id, id: view_id }: View) {
  const navigate = useNavigate()
  const changed = useViewsChanged(application_id)
  const params = { applicationId: application_id, viewId: view_id }
  async function restore(): Promise<void> {
    try {
      const { data } = await api.restoreView({ application_id, view_id })
      await changed(data)
      await navigate({ to: '/applications/$applicationId/views/$viewId', params })
    } catch (error) {
      showFailure(error)
    }
  }
  return async () => {
    try {
      await api.deleteView({ application_id, view_id })
      await navigate({ to: '/applications/$applicationId', params })
      await changed()
      showUndo(viewText.deleted, restore)
    } catch (error) {
      showFailure(error)
    }
  }
}
