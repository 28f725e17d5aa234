import type { FirstSteps } from '@quayside/sdk'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'
import { showFailure, showUndo } from '../../ui/toast.tsx'

/** The first steps that the person may take, and which of them are done. */
export const firstStepsQuery = queryOptions({
  queryKey: workspaceKey('first-steps'),
  queryFn: async ({ signal }) => (await api.getFirstSteps({}, { signal })).data,
})

/** Returns the steps to show: none once all are done or the person has hidden them. */
export const shownSteps = ({ steps, hidden }: FirstSteps): FirstSteps['steps'] =>
  hidden || steps.every(({ done }) => done) ? [] : steps

/** Returns a function that hides something from the person and offers to show it again. */
export function useHide(): (what: 'hidden' | 'phone_card_hidden', message: string) => void {
  const queryClient = useQueryClient()
  async function save(body: Partial<Pick<FirstSteps, 'hidden' | 'phone_card_hidden'>>): Promise<void> {
    const { queryKey } = firstStepsQuery
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, ...body })
    try {
      queryClient.setQueryData(queryKey, (await api.updateFirstSteps({ body })).data)
    } catch (error) {
      showFailure(error)
      await queryClient.invalidateQueries({ queryKey })
    }
  }
  return (what, message) => {
    void save({ [what]: true })
    showUndo(message, () => save({ [what]: false }))
  }
}
