import { useForm } from '@mantine/form'
import type { Platform } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { applicationText } from '../../text/applications.ts'
import { SettingsForm } from '../../ui/forms/settings-form.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { showDone } from '../../ui/toast.tsx'
import { PlatformPicker } from './platform-picker.tsx'
import { reloadPlatforms, platformsQuery } from './platform.queries.ts'

/** The platforms that an application supports. */
export function PlatformsSection({ applicationId }: { applicationId: string }) {
  const query = useQuery(platformsQuery(applicationId))
  return (
    <SettingsSection title="Platforms" description={applicationText.platforms}>
      <Loaded query={query}>
        {(platforms) => <PlatformsForm applicationId={applicationId} platforms={platforms} />}
      </Loaded>
    </SettingsSection>
  )
}

function PlatformsForm({ applicationId, platforms }: { applicationId: string; platforms: Platform[] }) {
  const canEdit = useSession().can('application:write', applicationId)
  const queryClient = useQueryClient()
  const stored = { platforms: platforms.map(({ identifier }) => identifier) }
  const form = useForm({
    initialValues: stored,
    validate: { platforms: (selected) => (selected.length === 0 ? applicationText.noPlatform : null) },
  })
  return (
    <SettingsForm
      form={form}
      stored={stored}
      canEdit={canEdit}
      onSubmit={async (body) => {
        await api.replacePlatforms({ application_id: applicationId, body })
        showDone(applicationText.platformsSaved)
        await reloadPlatforms(queryClient, applicationId)
      }}
    >
      <PlatformPicker
        canEdit={canEdit}
        value={form.values.platforms}
        onChange={(selected) => form.setFieldValue('platforms', selected)}
        error={form.errors['platforms']}
      />
    </SettingsForm>
  )
}
