import { Switch } from '@mantine/core'
import type { Workspace } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { customTargetText } from '../../text/builds/custom-targets.ts'
import { showFailure } from '../../ui/toast.tsx'
import { workspaceQuery } from '../workspace/workspace.queries.ts'

/** Turns custom targets on or off for the whole workspace. */
export function CustomTargetsSwitch({ workspace }: { workspace: Workspace }) {
  const queryClient = useQueryClient()
  const { can } = useSession()
  async function save(isOn: boolean): Promise<void> {
    queryClient.setQueryData(workspaceQuery.queryKey, { ...workspace, custom_targets_enabled: isOn })
    await api.updateWorkspace({ body: { custom_targets_enabled: isOn } }).catch(showFailure)
    await queryClient.invalidateQueries(workspaceQuery)
  }
  return (
    <Switch
      mb="md"
      label={customTargetText.toggle}
      checked={workspace.custom_targets_enabled}
      disabled={!can('workspace:write')}
      onChange={(event) => void save(event.currentTarget.checked)}
    />
  )
}
