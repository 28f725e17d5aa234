import { Skeleton } from '@mantine/core'
import { getRouteApi, linkOptions } from '@tanstack/react-router'
import { Suspense, type ComponentType } from 'react'
import { useSession } from '../../api/session.ts'
import { SettingsLayout, shownGroups } from '../../ui/forms/settings-layout.tsx'
import {
  IconDeviceDesktopCog,
  IconDatabase,
  IconDevices,
  IconKey,
  IconSettings,
  IconShieldCheck,
  IconTag,
  IconTrash,
  IconUsers,
} from '../../ui/icons/icons.ts'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { PageHeader } from '../../ui/navigation/page-header.tsx'

const route = getRouteApi('/console/applications/$applicationId/settings')

const sections: Record<string, ComponentType<{ applicationId: string }>> = {
  general: lazyPart(
    async () => (await import('./application-general-section.tsx')).ApplicationGeneralSection,
  ),
  platforms: lazyPart(async () => (await import('./platforms-section.tsx')).PlatformsSection),
  storage: lazyPart(
    async () => (await import('../custom-stores/custom-store-section.tsx')).CustomStoreSection,
  ),
  members: lazyPart(
    async () => (await import('../members/application-members-section.tsx')).ApplicationMembersSection,
  ),
  labels: lazyPart(async () => (await import('../labels/labels-section.tsx')).LabelsSection),
  'custom-targets': lazyPart(
    async () => (await import('../custom-targets/custom-targets-section.tsx')).CustomTargetsSection,
  ),
  'api-keys': lazyPart(async () => (await import('../api-keys/api-keys-section.tsx')).ApiKeysSection),
  'trusted-publishers': lazyPart(
    async () =>
      (await import('../trusted-publishers/trusted-publishers-section.tsx')).TrustedPublishersSection,
  ),
  delete: lazyPart(async () => (await import('./delete-application-section.tsx')).DeleteApplicationSection),
}

/** The settings of an application, one section at a time. */
export function ApplicationSettingsPage() {
  const { applicationId } = route.useParams()
  const { section } = route.useSearch()
  const groups = useSettingsGroups(applicationId)
  const shown = groups.flatMap((group) => group.sections)
  const active = shown.find(({ id }) => id === section) ?? shown[0]
  const Section = sections[active?.id ?? 'general']
  return (
    <>
      <PageHeader title="Settings" documentTitle={`${active?.label} · Settings`} />
      <SettingsLayout
        groups={groups}
        active={active?.id ?? 'general'}
        linkTo={(id) =>
          linkOptions({
            to: '/applications/$applicationId/settings',
            params: { applicationId },
            search: { section: id },
          })
        }
      >
        <Suspense fallback={<Skeleton height={240} radius="md" />}>
          {Section !== undefined && (
            <Section key={`${applicationId} ${active?.id}`} applicationId={applicationId} />
          )}
        </Suspense>
      </SettingsLayout>
    </>
  )
}

/** Returns the sections that the person may open, by group. */
function useSettingsGroups(applicationId: string) {
  const { can } = useSession()
  const icon = { size: 18 }
  const canReadMembers = can('members:read', applicationId)
  const canReadKeys = can('api_keys:read')
  return shownGroups([
    {
      label: 'Application',
      sections: [
        { id: 'general', label: 'General', icon: <IconSettings {...icon} />, isShown: true },
        { id: 'platforms', label: 'Platforms', icon: <IconDevices {...icon} />, isShown: true },
        { id: 'storage', label: 'Storage', icon: <IconDatabase {...icon} />, isShown: true },
        { id: 'members', label: 'Members', icon: <IconUsers {...icon} />, isShown: canReadMembers },
      ],
    },
    {
      label: 'Builds',
      sections: [
        { id: 'labels', label: 'Labels', icon: <IconTag {...icon} />, isShown: true },
        {
          id: 'custom-targets',
          label: 'Custom targets',
          icon: <IconDeviceDesktopCog {...icon} />,
          isShown: true,
        },
      ],
    },
    {
      label: 'Automation',
      sections: [
        {
          id: 'trusted-publishers',
          label: 'Trusted publishers',
          icon: <IconShieldCheck {...icon} />,
          isShown: canReadKeys,
        },
        { id: 'api-keys', label: 'API keys', icon: <IconKey {...icon} />, isShown: canReadKeys },
      ],
    },
    {
      label: 'Danger zone',
      sections: [
        {
          id: 'delete',
          label: 'Delete application',
          icon: <IconTrash {...icon} />,
          isShown: can('applications:write'),
        },
      ],
    },
  ])
}
