import { Menu } from '@mantine/core'
import type { TrustedPublisher } from '@quayside/sdk'
import { serviceUrl } from '../../api/browser.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import {
  IconBrandGithub,
  IconBrandGitlab,
  IconCode,
  IconPencil,
  IconShieldCheck,
  IconTestPipe,
  IconTrash,
} from '../../ui/icons/icons.ts'
import { Item } from '../../ui/item-list.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { claimsOf, formOf, patternsOf, type Provider } from './publisher-form.ts'

export type PublisherAction = 'edit' | 'snippet' | 'check' | 'delete'

const icons = { github: IconBrandGithub, gitlab: IconBrandGitlab, other: IconShieldCheck }
const labels: Record<Provider, string> = { github: 'GitHub Actions', gitlab: 'GitLab CI', other: '' }

type Props = {
  publisher: TrustedPublisher
  canEdit: boolean
  onOpen: (action: PublisherAction) => void
}

/** A line of the list of trusted publishers: which runs it trusts, what they may do, and what could be safer. */
export function PublisherItem({ publisher, canEdit, onOpen }: Props) {
  const { name, issuer, claims, scopes, expires_at: expiresAt, warnings } = publisher
  const form = formOf(publisher, serviceUrl)
  const { provider } = form
  // The server does not keep the order of claims.
  const ordered = provider === 'other' ? claims : claimsOf(form)
  const Icon = icons[provider]
  return (
    <Item
      leading={<Icon size={20} />}
      title={name}
      detail={
        <>
          <span>{provider === 'other' ? issuer.replace(/^https:\/\//, '') : labels[provider]}</span>
          {Object.entries(ordered).map(([claim, value]) => (
            <span key={claim}>
              {claim} <code>{patternsOf(value).join(' or ')}</code>
            </span>
          ))}
        </>
      }
      end={
        <div>
          <div>{scopes.join(', ')}</div>
          {expiresAt !== null && (
            <div>
              Expires <RelativeTime time={expiresAt} />
            </div>
          )}
        </div>
      }
      menu={<PublisherMenu name={name} canEdit={canEdit} onOpen={onOpen} />}
    >
      {warnings.length > 0 &&
        warnings.map((warning) => (
          <Notice key={warning} kind="warn">
            {warning}
          </Notice>
        ))}
    </Item>
  )
}

type MenuProps = Pick<Props, 'canEdit' | 'onOpen'> & { name: string }

function PublisherMenu({ name, canEdit, onOpen }: MenuProps) {
  return (
    <RowMenu label={`Actions for ${name}`}>
      <Menu.Item leftSection={<IconCode size={16} />} onClick={() => onOpen('snippet')}>
        Show the CI configuration
      </Menu.Item>
      <Menu.Item leftSection={<IconTestPipe size={16} />} onClick={() => onOpen('check')}>
        Check a token
      </Menu.Item>
      {canEdit && (
        <>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onOpen('edit')}>
            Edit
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onOpen('delete')}>
            Delete
          </Menu.Item>
        </>
      )}
    </RowMenu>
  )
}
