import { Kbd, useMantineColorScheme } from '@mantine/core'
import type { SpotlightActionData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import {
  IconAppWindow,
  IconDeviceDesktop,
  IconKey,
  IconKeyboard,
  IconMoon,
  IconRocket,
  IconSun,
  IconUpload,
  IconUserPlus,
} from '../../ui/icons/icons.ts'
import { openShortcuts } from '../shortcuts-store.ts'

type Options = {
  /** The open application, or the one to start with. */
  application: { id: string; name: string } | undefined
  onInvite: () => void
}

/** Returns what the person may do on any page. */
export function useActions({ application, onInvite }: Options): SpotlightActionData[] {
  const navigate = useNavigate()
  const { can, canSomewhere } = useSession()
  const schemes = useSchemeActions()
  const actions: (SpotlightActionData | false)[] = [
    canSomewhere('builds:create') && {
      id: 'upload',
      label: 'Upload builds',
      leftSection: <IconUpload size={18} />,
      rightSection: <Kbd>u</Kbd>,
      onClick: () =>
        void navigate({
          to: '/upload',
          search:
            application !== undefined && can('builds:create', application.id)
              ? { application: application.id }
              : {},
        }),
    },
    application !== undefined &&
      can('releases:create', application.id) && {
        id: 'new-release',
        label: `New release of ${application.name}`,
        keywords: 'create publish',
        leftSection: <IconRocket size={18} />,
        onClick: () =>
          void navigate({
            to: '/applications/$applicationId/releases/new',
            params: { applicationId: application.id },
          }),
      },
    can('applications:create') && {
      id: 'new-application',
      label: 'New application',
      keywords: 'create app',
      leftSection: <IconAppWindow size={18} />,
      onClick: () => void navigate({ to: '/applications/new' }),
    },
    can('members:write') && {
      id: 'invite',
      label: 'Invite people',
      keywords: 'member user invitation email',
      leftSection: <IconUserPlus size={18} />,
      onClick: onInvite,
    },
    can('api_keys:create') && {
      id: 'new-api-key',
      label: 'Create an API key',
      keywords: 'token secret new',
      leftSection: <IconKey size={18} />,
      onClick: () => void navigate({ to: '/settings', search: { section: 'api-keys' } }),
    },
    ...schemes,
    shortcuts,
  ]
  return actions.filter((action) => action !== false)
}

/** Returns an action for each color scheme except the one that is used. */
function useSchemeActions(): (SpotlightActionData | false)[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const scheme = (value: typeof colorScheme, label: string, leftSection: React.ReactNode) =>
    value !== colorScheme && {
      id: `scheme-${value}`,
      label,
      keywords: 'change theme color scheme appearance',
      leftSection,
      onClick: () => setColorScheme(value),
    }
  return [
    scheme('dark', 'Use the dark theme', <IconMoon size={18} />),
    scheme('light', 'Use the light theme', <IconSun size={18} />),
    scheme('auto', 'Use the system theme', <IconDeviceDesktop size={18} />),
  ]
}

const shortcuts: SpotlightActionData = {
  id: 'shortcuts',
  label: 'Keyboard shortcuts',
  keywords: 'help keys',
  leftSection: <IconKeyboard size={18} />,
  rightSection: <Kbd>?</Kbd>,
  onClick: openShortcuts,
}
