import { Badge } from '@mantine/core'
import { useSession } from '../../api/session.ts'
import { accountText, roleNames } from '../../text/account.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import classes from './profile-settings.module.css'

/** Shows the name, the email address and the workspaces of the person. */
export function ProfileSettings() {
  const { user, workspace, workspaces } = useSession()
  return (
    <>
      <SettingsSection title="Profile" description={accountText.profile}>
        <div className={classes.profile}>
          <ApplicationIcon name={user.name} url={user.profile_photo_url} size={64} round />
          <dl className={classes.facts}>
            <dt>Name</dt>
            <dd>{user.name}</dd>
            <dt>Email address</dt>
            <dd>
              <Copyable value={user.email} label="email address" />{' '}
              {!user.email_verified && (
                <Badge variant="default" tt="none" fw={500} title={accountText.notVerified}>
                  Not verified
                </Badge>
              )}
            </dd>
            <dt>User ID</dt>
            <dd>
              <Copyable value={user.id} label="user ID" mono />
            </dd>
          </dl>
        </div>
      </SettingsSection>
      <SettingsSection title="Workspaces">
        <ItemList label="Workspaces">
          {workspaces.map(({ id, name, logo_url: url, role }) => (
            <Item
              key={id}
              leading={<ApplicationIcon name={name} url={url} size={28} />}
              title={name}
              detail={roleNames[role]}
              end={id === workspace.id ? 'Current' : undefined}
            />
          ))}
        </ItemList>
      </SettingsSection>
    </>
  )
}
