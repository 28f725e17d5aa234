import { ActionIcon, Menu, Text } from '@mantine/core'
import type { View } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { viewText } from '../../../text/builds/views.ts'
import { IconBookmark, IconCheck, IconPlus } from '../../../ui/icons/icons.ts'
import { MenuButton } from '../../../ui/menu/menu-button.tsx'
import { MenuItemLink } from '../../../ui/menu/menu-item-link.tsx'
import { viewsQuery } from './view.queries.ts'
import classes from './views.module.css'

type Props = {
  applicationId: string
  /** The view that is open. */
  view: View | undefined
  onSave: () => void
}

/** Opens the saved views of an application and saves the list as a new one. */
export const SavedViewsMenu = (props: Props) => (
  <MenuButton
    position="bottom-end"
    width={260}
    button={
      <ActionIcon variant="default" size={36} aria-label={viewText.menu}>
        <IconBookmark size={18} />
      </ActionIcon>
    }
  >
    {() => <SavedViews {...props} />}
  </MenuButton>
)

function SavedViews({ applicationId, view: open, onSave }: Props) {
  const { data: views = [], isPending } = useQuery(viewsQuery(applicationId))
  return (
    <>
      <div className={classes.views}>
        {open !== undefined && (
          <MenuItemLink to="/applications/$applicationId" params={{ applicationId }}>
            {viewText.all}
          </MenuItemLink>
        )}
        {(['team', 'personal'] as const).map((visibility) => {
          const shown = views.filter((view) => view.visibility === visibility)
          if (shown.length === 0) return null
          return (
            <div key={visibility} role="group" aria-label={viewText[visibility]}>
              <Menu.Label>{viewText[visibility]}</Menu.Label>
              {shown.map(({ id, name }) => (
                <MenuItemLink
                  key={id}
                  to="/applications/$applicationId/views/$viewId"
                  params={{ applicationId, viewId: id }}
                  rightSection={id === open?.id ? <IconCheck size={14} aria-label="open" /> : null}
                >
                  {name}
                </MenuItemLink>
              ))}
            </div>
          )
        })}
        {views.length === 0 && !isPending && (
          <Text fz="xs" className="soft" p="xs">
            {viewText.none}
          </Text>
        )}
      </div>
      <Menu.Divider />
      <Menu.Item leftSection={<IconPlus size={16} />} onClick={onSave}>
        {viewText.saveNew}…
      </Menu.Item>
    </>
  )
}
