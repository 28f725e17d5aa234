import { getRouteApi } from '@tanstack/react-router'
import { optionalOneOf } from '../../api/search-params.ts'
import { useSession } from '../../api/session.ts'
import { SettingsLayout } from '../../ui/forms/settings-layout.tsx'
import { IconBell, IconDevices, IconKey, IconShieldLock, IconUser } from '../../ui/icons/icons.ts'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { NotificationSettings } from '../notifications/notification-settings.tsx'
import { OwnApiKeys } from './own-api-keys.tsx'
import { PasskeySettings } from './passkey-settings.tsx'
import { PasswordSettings } from './password-settings.tsx'
import { ProfileSettings } from './profile-settings.tsx'
import { SessionList } from './session-list.tsx'
import { TwoFactorSettings } from './two-factor-settings.tsx'

const route = getRouteApi('/console/account')

const sections = [
  { id: 'profile', label: 'Profile', icon: <IconUser size={18} /> },
  { id: 'notifications', label: 'Notifications', icon: <IconBell size={18} /> },
  { id: 'security', label: 'Sign-in', icon: <IconShieldLock size={18} /> },
  { id: 'sessions', label: 'Sessions', icon: <IconDevices size={18} /> },
]
const apiKeys = { id: 'api-keys', label: 'API keys', icon: <IconKey size={18} /> }

/** Shows who is signed in, and how they sign in. */
export function AccountPage() {
  const { section } = route.useSearch()
  const { can, user } = useSession()
  const shown = can('api_keys:read') ? [...sections, apiKeys] : sections
  const active =
    optionalOneOf(
      section,
      shown.map(({ id }) => id),
    ) ?? 'profile'
  return (
    <>
      <PageHeader title="Your account" facts={user.email} />
      <SettingsLayout
        groups={[{ label: 'Account', sections: shown }]}
        active={active}
        linkTo={(id) => ({ to: '/account', search: { section: id } })}
      >
        {active === 'profile' && <ProfileSettings />}
        {active === 'notifications' && <NotificationSettings />}
        {active === 'security' && (
          <>
            <PasswordSettings />
            <PasskeySettings />
            <TwoFactorSettings />
          </>
        )}
        {active === 'sessions' && <SessionList />}
        {active === 'api-keys' && <OwnApiKeys />}
      </SettingsLayout>
    </>
  )
}
