import { Stack } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { Portal } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { portalText } from '../../text/distribution/portals.ts'
import { fieldText } from '../../text/fields.ts'
import { ImageField } from '../../ui/forms/image-field.tsx'
import { SettingsForm } from '../../ui/forms/settings-form.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { showDone } from '../../ui/toast.tsx'
import { portalBodyOf, PortalFields, portalValuesOf, type PortalValues } from './portal-fields.tsx'
import { portalChanged, reloadPortals } from './portal.queries.ts'

/** The icon, name, description, visitors and address of a portal. */
export function PortalDetails({ portal, canEdit }: { portal: Portal; canEdit: boolean }) {
  const queryClient = useQueryClient()
  const form = useForm<PortalValues>({
    initialValues: portalValuesOf(portal),
    validate: { name: isNotEmpty(fieldText.enterName) },
  })
  const changed = ({ data }: { data: Portal }) => portalChanged(queryClient, data)
  const { id } = portal
  return (
    <SettingsSection title="Details">
      <Stack gap="lg" maw="34rem">
        <ImageField
          label="Icon"
          name={portal.name}
          url={portal.icon_url}
          canEdit={canEdit}
          onSave={async ({ content_type, data }) =>
            changed(await api.replacePortalIcon({ portal_id: id, body: { content_type, data } }))
          }
          onDelete={async () => {
            await api.deletePortalIcon({ portal_id: id })
            await reloadPortals(queryClient)
          }}
        />
        <SettingsForm
          form={form}
          stored={portalValuesOf(portal)}
          canEdit={canEdit}
          onSubmit={async (values) => {
            await changed(await api.updatePortal({ portal_id: id, body: portalBodyOf(values) }))
            showDone(portalText.saved)
          }}
        >
          <PortalFields form={form} isDisabled={!canEdit} />
        </SettingsForm>
      </Stack>
    </SettingsSection>
  )
}
