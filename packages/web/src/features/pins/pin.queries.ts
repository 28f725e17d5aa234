import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pinsKey } from '../../api/query-keys.ts'
import { pinText } from '../../text/pins.ts'
import { showFailure, showUndo } from '../../ui/toast.tsx'

/** What the person has pinned to the sidebar. */
export const pinsQuery = queryOptions({
  queryKey: pinsKey,
  queryFn: async ({ signal }) => (await api.getPins({}, { signal })).data,
})

/** Returns the pins and a function that changes them. A change is shown before the server has saved it. */
export function usePins() {
  const queryClient = useQueryClient()
  const { data: pins } = useSuspenseQuery(pinsQuery)
  async function change(next: Partial<typeof pins>): Promise<void> {
    const { application_ids, views } = next
    await queryClient.cancelQueries({ queryKey: pinsKey })
    queryClient.setQueryData(pinsQuery.queryKey, (shown) => shown && { ...shown, ...next })
    try {
      const { data } = await api.updatePins({
        body: {
          ...(application_ids && { application_ids }),
          ...(views && { view_ids: views.map(({ id }) => id) }),
        },
      })
      queryClient.setQueryData(pinsQuery.queryKey, data)
      const isFewer =
        (application_ids?.length ?? Infinity) < pins.application_ids.length ||
        (views?.length ?? Infinity) < pins.views.length
      if (isFewer) {
        const before = application_ids ? { application_ids: pins.application_ids } : { views: pins.views }
        showUndo(pinText.unpinned, () => change(before))
      }
    } catch (error) {
      showFailure(error)
      await queryClient.invalidateQueries({ queryKey: pinsKey })
    }
  }
  return { applicationIds: pins.application_ids, views: pins.views, change }
}
