import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { applicationsKey, pinsKey, sessionKey, workspaceKey } from '../../api/query-keys.ts'
import { sampleText } from '../../text/first-steps.ts'
import { showDone, showFailure } from '../../ui/toast.tsx'

/** Returns functions that create the sample application and open it, and that delete it and open Home. */
export function useSample() {
  const [isRunning, setIsRunning] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const reload = (keys: readonly (readonly unknown[])[]) =>
    Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  async function run(work: () => Promise<void>): Promise<void> {
    setIsRunning(true)
    try {
      await work()
    } catch (error) {
      showFailure(error)
      await reload([sessionKey])
    } finally {
      setIsRunning(false)
    }
  }
  return {
    isRunning,
    create: () =>
      run(async () => {
        const { data } = await api.createSampleApplication({})
        await reload([sessionKey, applicationsKey, workspaceKey()])
        await navigate({ to: '/applications/$applicationId', params: { applicationId: data.id } })
        showDone(sampleText.created)
      }),
    remove: () =>
      run(async () => {
        await api.deleteSampleApplication({})
        await navigate({ to: '/' })
        await reload([sessionKey, applicationsKey, workspaceKey(), pinsKey])
        showDone(sampleText.deleted)
      }),
  }
}
