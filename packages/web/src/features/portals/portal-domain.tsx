import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Portal } from '@quayside/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { portalText } from '../../text/distribution/portals.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Fact, FactList } from '../../ui/fact-list.tsx'
import { SettingsForm } from '../../ui/forms/settings-form.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconCircleCheck, IconRefresh } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { showDone } from '../../ui/toast.tsx'
import classes from './portal-domain.module.css'
import { portalChanged } from './portal.queries.ts'

/** The custom domain of a portal, with the DNS record that proves control of it. */
export function PortalDomain({ portal, canEdit }: { portal: Portal; canEdit: boolean }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { custom_domain: portal.custom_domain ?? '' } })
  return (
    <SettingsSection title="Custom domain" description={portalText.customDomain}>
      <Stack gap="md" maw="34rem">
        <SettingsForm
          form={form}
          canEdit={canEdit}
          onSubmit={async ({ custom_domain: input }) => {
            const body = { custom_domain: input.trim() === '' ? null : input.trim() }
            const { data } = await api.updatePortal({ portal_id: portal.id, body })
            await portalChanged(queryClient, data)
            showDone(data.custom_domain === null ? portalText.domainRemoved : portalText.domainSaved)
          }}
        >
          <TextInput
            label="Domain"
            placeholder="downloads.example.com"
            disabled={!canEdit}
            autoCapitalize="none"
            spellCheck={false}
            description={portal.custom_domain_active ? portalText.changedDomain : undefined}
            key={form.key('custom_domain')}
            {...form.getInputProps('custom_domain')}
          />
        </SettingsForm>
        <DomainProof key={portal.custom_domain} portal={portal} canEdit={canEdit} />
      </Stack>
    </SettingsSection>
  )
}

function DomainProof({ portal, canEdit }: { portal: Portal; canEdit: boolean }) {
  const queryClient = useQueryClient()
  const verification = useMutation({
    mutationFn: () => api.verifyPortalDomain({ portal_id: portal.id }),
    onSuccess: ({ data }) => portalChanged(queryClient, data),
  })
  const record = portal.custom_domain_verification
  if (record === null) return null
  if (portal.custom_domain_active)
    return (
      <Group gap={6} wrap="nowrap">
        <IconCircleCheck size={18} color="var(--q-good)" aria-hidden />
        <Text fz="sm">{portalText.verified}</Text>
      </Group>
    )
  return (
    <div className={classes.proof}>
      <Text fz="sm">{portalText.dns}</Text>
      <FactList isDense>
        <Fact name="Type">{record.type}</Fact>
        <Fact name="Name">
          <Copyable value={record.name} label="record name" mono />
        </Fact>
        <Fact name="Value">
          <Copyable value={record.value} label="record value" mono />
        </Fact>
      </FactList>
      {verification.error !== null && <FailureBanner error={verification.error} />}
      {canEdit && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={verification.isPending}
          onClick={() => verification.mutate()}
        >
          Verify domain
        </Button>
      )}
    </div>
  )
}
