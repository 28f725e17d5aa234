import { Skeleton } from '@mantine/core'
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
} from '@tabler/icons-react'
import { getRouteApi, linkOptions } from '@tanstack/react-router'
import { lazy, Suspense, type ComponentType } from 'react'
import { useSession } from '../../api/session.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SettingsLayout } from '../../ui/settings-layout.tsx'

const route = getRouteApi('/console/applications/$applicationId/settings')

const sections: Record<string, ComponentType<{ applicationId: string }>> = {
  general: lazy(async () => ({
    default: (await import('./application-general-section.tsx')).ApplicationGeneralSection,
  })),
  platforms: lazy(async () => ({ default: (await import('./platforms-section.tsx')).PlatformsSection })),
  storage: lazy(async () => ({
    default: (await import('../custom-stores/custom-store-section.tsx')).CustomStoreSection,
  })),
  members: lazy(async () => ({
    default: (await import('../members/application-members-section.tsx')).ApplicationMembersSection,
  })),
  labels: lazy(async () => ({ default: (await import('../labels/labels-section.tsx')).LabelsSection })),
  'custom-targets': lazy(async () => ({
    default: (await import('../custom-targets/custom-targets-section.tsx')).CustomTargetsSection,
  })),
  'api-keys': lazy(async () => ({
    default: (await import('../api-keys/api-keys-section.tsx')).ApiKeysSection,
  })),
  'trusted-publishers': lazy(async () => ({
    default: (await import('../trusted-publishers/trusted-publishers-section.tsx')).TrustedPublishersSection,
  })),
  delete: lazy(async () => ({
    default: (await import('./delete-application-section.tsx')).DeleteApplicationSection,
  })),
}

/** The settings of an application, one section at a time. */
export function ApplicationSettingsPage() {
  const { applicationId } = route.useParams()
  const { section } = route.useSearch()
  const { can } = useSession()
  const icon = { size: 18 }
  const canReadMembers = can('members:read', applicationId)
  const canReadKeys = can('api_keys:read')
  const groups = [
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
  ]
    .map((group) => ({ ...group, sections: group.sections.filter(({ isShown }) => isShown) }))
    .filter((group) => group.sections.length > 0)
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
