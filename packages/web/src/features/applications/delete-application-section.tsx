import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { applicationKey, applicationListKey, workspaceKey } from '../../api/query-keys.ts'
import { applicationText } from '../../text/applications.ts'
import { confirmText } from '../../text/confirmations.ts'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { showUndo } from '../../ui/toast.tsx'
import { applicationQuery } from './application.queries.ts'

/** Moves an application to the trash. */
export function DeleteApplicationSection({ applicationId }: { applicationId: string }) {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const [isOpen, { open, close }] = useDisclosure()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { name, build_count: builds, storage_usage: storage } = application
  const path = { application_id: applicationId }
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: applicationListKey }),
      queryClient.invalidateQueries({ queryKey: workspaceKey() }),
    ])
  async function moveToTrash(): Promise<void> {
    await api.deleteApplication(path)
    // The page of the application would load it again and fail.
    await navigate({ to: '/' })
    queryClient.removeQueries({ queryKey: applicationKey(applicationId) })
    showUndo(applicationText.deleted(name), () => api.restoreApplication(path).finally(refresh))
    await refresh()
  }
  return (
    <SettingsSection title="Delete application" description={applicationText.delete}>
      <Button color="red" variant="light" onClick={open}>
        Delete {name}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={confirmText.delete(name)}
          confirmLabel="Delete application"
          isDangerous
          typeToConfirm={name}
          onConfirm={moveToTrash}
          onClose={close}
        >
          <Text>
            {applicationText.deletes(builds, storage.total_string)} {applicationText.delete}
          </Text>
        </ConfirmDialog>
      )}
    </SettingsSection>
  )
}
