import { isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { fieldText } from '../../text/fields.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { emptyPortal, portalBodyOf, PortalFields, type PortalValues } from './portal-fields.tsx'
import { portalChanged } from './portal.queries.ts'

/** Creates a portal and opens its page, where applications are added. */
export function NewPortalDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<PortalValues>({
    mode: 'uncontrolled',
    initialValues: emptyPortal,
    validate: { name: isNotEmpty(fieldText.enterName) },
  })
  async function create(values: PortalValues): Promise<void> {
    const { data: portal } = await api.createPortal({ body: portalBodyOf(values) })
    await portalChanged(queryClient, portal)
    onClose()
    await navigate({ to: '/portals/$portalId/edit', params: { portalId: portal.id } })
  }
  return (
    <FormDialog
      title="New portal"
      submitLabel="Create portal"
      form={form}
      onSubmit={create}
      onClose={onClose}
    >
      <PortalFields form={form} />
    </FormDialog>
  )
}
