import { Menu, UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { ApplicationIcon } from '../ui/application-icon.tsx'
import { IconCheck, IconSelector, IconSettings } from '../ui/icons/icons.ts'
import { MenuItemLink } from '../ui/menu/menu-item-link.tsx'
import { showFailure } from '../ui/toast.tsx'
import classes from './workspace-menu.module.css'

/** Shows the workspace and switches to another one. */
export function WorkspaceMenu() {
  const { workspace, workspaces } = useSession()
  const queryClient = useQueryClient()
  async function switchTo(id: string): Promise<void> {
    try {
      await api.replaceSessionWorkspace({ body: { workspace_id: id } })
      queryClient.clear()
      window.location.assign('./')
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <Menu position="bottom-start" width="14rem">
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <ApplicationIcon name={workspace.name} url={workspace.logo_url} size={24} />
          <span className={classes.name}>{workspace.name}</span>
          <IconSelector size={16} color="var(--q-soft)" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map(({ id, name, logo_url: url }) => (
          <Menu.Item
            key={id}
            leftSection={<ApplicationIcon name={name} url={url} size={20} />}
            rightSection={id === workspace.id ? <IconCheck size={16} aria-label="Current workspace" /> : null}
            onClick={() => {
              if (id !== workspace.id) void switchTo(id)
            }}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <MenuItemLink to="/settings" leftSection={<IconSettings size={16} />}>
          Workspace settings
        </MenuItemLink>
      </Menu.Dropdown>
    </Menu>
  )
}
