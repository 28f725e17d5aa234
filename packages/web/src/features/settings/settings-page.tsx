import { Skeleton } from '@mantine/core'
import { getRouteApi, linkOptions } from '@tanstack/react-router'
import { Suspense, type ComponentType } from 'react'
import { SettingsLayout } from '../../ui/forms/settings-layout.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { useSettingsGroups } from './settings-groups.tsx'

const route = getRouteApi('/console/settings')

const sections: Record<string, ComponentType> = {
  general: lazyPart(async () => (await import('../workspace/general-section.tsx')).GeneralSection),
  members: lazyPart(async () => (await import('../members/members-section.tsx')).MembersSection),
  teams: lazyPart(async () => (await import('../members/teams/teams-section.tsx')).TeamsSection),
  scim: lazyPart(async () => (await import('../members/scim/scim-section.tsx')).ScimSection),
  'api-keys': lazyPart(async () => (await import('../api-keys/api-keys-section.tsx')).ApiKeysSection),
  labels: lazyPart(async () => (await import('../labels/labels-section.tsx')).LabelsSection),
  'custom-targets': lazyPart(
    async () => (await import('../custom-targets/custom-targets-section.tsx')).CustomTargetsSection,
  ),
  streams: lazyPart(
    async () => (await import('../streams/default-streams-section.tsx')).DefaultStreamsSection,
  ),
  storage: lazyPart(async () => (await import('../workspace/storage-section.tsx')).StorageSection),
  'repository-keys': lazyPart(
    async () => (await import('../repository-keys/repository-keys-section.tsx')).RepositoryKeysSection,
  ),
  ios: lazyPart(async () => (await import('../workspace/ios-section.tsx')).IosSection),
  emails: lazyPart(async () => (await import('../mails/mails-section.tsx')).MailsSection),
  'audit-log': lazyPart(async () => (await import('../audit-log/audit-log-section.tsx')).AuditLogSection),
  trash: lazyPart(
    async () => (await import('../applications/deleted-applications-section.tsx')).DeletedApplicationsSection,
  ),
}

/** The settings of the workspace, one section at a time. */
export function SettingsPage() {
  const groups = useSettingsGroups()
  const { section } = route.useSearch()
  const shown = groups.flatMap((group) => group.sections)
  const active = shown.find(({ id }) => id === section) ?? shown[0]
  const Section = sections[active?.id ?? 'general']
  return (
    <>
      <PageHeader title="Settings" documentTitle={`${active?.label} · Settings`} />
      <SettingsLayout
        groups={groups}
        active={active?.id ?? 'general'}
        linkTo={(id) => linkOptions({ to: '/settings', search: { section: id } })}
      >
        <Suspense fallback={<Skeleton height={240} radius="md" />}>
          {Section !== undefined && <Section key={active?.id} />}
        </Suspense>
      </SettingsLayout>
    </>
  )
}
