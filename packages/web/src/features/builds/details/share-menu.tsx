import { Button, Menu } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { useDialogFocus } from '../../../ui/focus/use-dialog-focus.ts'
import { IconChevronDown, IconLink, IconList, IconPlus, IconShare2 } from '../../../ui/icons/icons.ts'
import { CopyItem } from '../../../ui/menu/copy-item.tsx'
import { MenuItemLink } from '../../../ui/menu/menu-item-link.tsx'
import { NewShareLinkDialog } from '../../share-links/new-share-link-dialog.tsx'
import { versionText } from '../build.queries.ts'

/** Offers the link for members of the workspace, and links for everyone else. */
export function ShareMenu({ build }: { build: FullBuild }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { button, returnFocus } = useDialogFocus()
  const { can } = useSession()
  const applicationId = build.application_id
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button
            ref={button}
            variant="default"
            leftSection={<IconShare2 size={16} />}
            rightSection={<IconChevronDown size={14} />}
          >
            Share
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>For workspace members</Menu.Label>
          <CopyItem value={build.modal_url} icon={<IconLink size={16} />} label="Copy link to this page" />
          {can('share_links:read', applicationId) && (
            <>
              <Menu.Label>For people without an account</Menu.Label>
              {can('share_links:create', applicationId) && (
                <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => setIsDialogOpen(true)}>
                  New share link
                </Menu.Item>
              )}
              <MenuItemLink
                leftSection={<IconList size={16} />}
                to="/applications/$applicationId/builds/$buildId"
                params={{ applicationId, buildId: build.id }}
                search={{ tab: 'share-links' }}
              >
                Share links
              </MenuItemLink>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDialogOpen && (
        <NewShareLinkDialog
          shareable={{ type: 'build', applicationId, id: build.id }}
          name={versionText(build)}
          onClose={() => {
            setIsDialogOpen(false)
            returnFocus()
          }}
        />
      )}
    </>
  )
}
