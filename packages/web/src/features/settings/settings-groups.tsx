import { useSession } from '../../api/session.ts'
import { shownGroups } from '../../ui/forms/settings-layout.tsx'
import {
  IconDatabase,
  IconDeviceDesktopCog,
  IconDeviceMobile,
  IconFingerprint,
  IconGitBranch,
  IconHistory,
  IconKey,
  IconMail,
  IconRefresh,
  IconSettings,
  IconTag,
  IconTrash,
  IconUsers,
  IconUsersGroup,
} from '../../ui/icons/icons.ts'

/** Returns the sections that the person may open, by group. */
export function useSettingsGroups() {
  const { can } = useSession()
  const icon = { size: 18 }
  return shownGroups([
    {
      label: 'Workspace',
      sections: [
        { id: 'general', label: 'General', icon: <IconSettings {...icon} />, isShown: true },
        { id: 'members', label: 'Members', icon: <IconUsers {...icon} />, isShown: can('members:read') },
        { id: 'teams', label: 'Teams', icon: <IconUsersGroup {...icon} />, isShown: can('members:read') },
        { id: 'scim', label: 'SCIM', icon: <IconRefresh {...icon} />, isShown: can('members:write') },
        { id: 'api-keys', label: 'API keys', icon: <IconKey {...icon} />, isShown: can('api_keys:read') },
      ],
    },
    {
      label: 'For every application',
      sections: [
        { id: 'labels', label: 'Labels', icon: <IconTag {...icon} />, isShown: can('workspace:read') },
        {
          id: 'custom-targets',
          label: 'Custom targets',
          icon: <IconDeviceDesktopCog {...icon} />,
          isShown: can('workspace:read'),
        },
        {
          id: 'streams',
          label: 'Default streams',
          icon: <IconGitBranch {...icon} />,
          isShown: can('workspace:read'),
        },
      ],
    },
    {
      label: 'Operation',
      sections: [
        { id: 'storage', label: 'Storage', icon: <IconDatabase {...icon} />, isShown: true },
        {
          id: 'ios',
          label: 'iOS installation',
          icon: <IconDeviceMobile {...icon} />,
          isShown: can('workspace:read'),
        },
        {
          id: 'repository-keys',
          label: 'Repository keys',
          icon: <IconFingerprint {...icon} />,
          isShown: can('workspace:read'),
        },
        { id: 'emails', label: 'Emails', icon: <IconMail {...icon} />, isShown: can('members:write') },
        {
          id: 'audit-log',
          label: 'Audit log',
          icon: <IconHistory {...icon} />,
          isShown: can('workspace:read'),
        },
        {
          id: 'trash',
          label: 'Deleted applications',
          icon: <IconTrash {...icon} />,
          isShown: can('applications:write'),
        },
      ],
    },
  ])
}
