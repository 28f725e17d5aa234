import { Button, Menu, Switch, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ApiKey } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { apiKeyText } from '../../text/api-keys.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { useNow } from '../../ui/format/now.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconBan, IconKey, IconPlus } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { workspaceMembersQuery } from '../members/member.queries.ts'
import { apiKeysQuery, descendantsOf, keyState, type KeyState } from './api-key.queries.ts'
import { NewApiKeyDialog } from './new-api-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

/** The API keys of an application, or of the workspace without an ID. */
export function ApiKeysSection({ applicationId }: { applicationId?: string }) {
  const query = useQuery(apiKeysQuery(applicationId))
  const { data: members = [] } = useQuery(workspaceMembersQuery)
  const { can } = useSession()
  const now = useNow()
  const [showsAll, setShowsAll] = useState(false)
  const [isCreating, { open, close }] = useDisclosure()
  const [revoking, setRevoking] = useState<ApiKey>()
  const isValid = (key: ApiKey) => keyState(key, now) === 'valid'
  const creatorOf = ({ created_by: id }: ApiKey, keys: readonly ApiKey[]) =>
    [...members, ...keys].find((each) => each.id === id)?.name
  return (
    <SettingsSection
      title="API keys"
      description={applicationId === undefined ? apiKeyText.ofWorkspace : apiKeyText.ofApplication}
      action={
        can('api_keys:create') && (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            New API key
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(keys) => {
          const ended = keys.filter((key) => !isValid(key)).length
          const shown = showsAll ? keys : keys.filter(isValid)
          return (
            <>
              {shown.length === 0 ? (
                <NoKeys applicationId={applicationId} hasEnded={ended > 0} />
              ) : (
                <ItemList label="API keys">
                  {shown.map((key) => (
                    <KeyItem
                      key={key.id}
                      apiKey={key}
                      state={keyState(key, now)}
                      creator={creatorOf(key, keys)}
                      onRevoke={can('api_keys:write') ? () => setRevoking(key) : undefined}
                    />
                  ))}
                </ItemList>
              )}
              {ended > 0 && <EndedKeysSwitch count={ended} isOn={showsAll} onChange={setShowsAll} />}
              {revoking !== undefined && (
                <RevokeKeyDialog
                  apiKey={revoking}
                  descendants={descendantsOf(revoking.id, keys).filter(isValid)}
                  onClose={() => setRevoking(undefined)}
                />
              )}
            </>
          )
        }}
      </Loaded>
      {isCreating && <NewApiKeyDialog applicationId={applicationId} onClose={close} />}
    </SettingsSection>
  )
}

type SwitchProps = { count: number; isOn: boolean; onChange: (isOn: boolean) => void }

function EndedKeysSwitch({ count, isOn, onChange }: SwitchProps) {
  return (
    <Switch
      mt="md"
      size="xs"
      label={`Show ${plural(count, 'key')} that expired or ${count === 1 ? 'was' : 'were'} revoked`}
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

type ItemProps = {
  apiKey: ApiKey
  state: KeyState
  creator: string | undefined
  onRevoke: (() => void) | undefined
}

function KeyItem({ apiKey, state, creator, onRevoke }: ItemProps) {
  const { name, prefix, last_used_at: usedAt, expires_at: endsAt, scopes } = apiKey
  return (
    <Item
      leading={<IconKey size={18} />}
      isMuted={state !== 'valid'}
      title={
        <>
          {name}
          {state !== 'valid' && (
            <StateBadge tone={state === 'revoked' ? 'bad' : 'neutral'}>{state}</StateBadge>
          )}
        </>
      }
      detail={
        <>
          <code>{prefix}…</code>
          <ScopeSummary scopes={scopes} />
          {creator !== undefined && <span>by {creator}</span>}
        </>
      }
      end={
        <div>
          <div>
            {usedAt === null ? (
              'Never used'
            ) : (
              <>
                Used <RelativeTime time={usedAt} />
              </>
            )}
          </div>
          {state === 'valid' && (
            <div>
              {endsAt === null ? (
                'Never expires'
              ) : (
                <>
                  Expires <RelativeTime time={endsAt} />
                </>
              )}
            </div>
          )}
        </div>
      }
      menu={
        state === 'valid' &&
        onRevoke !== undefined && (
          <RowMenu label={`Actions for ${name}`}>
            <Menu.Item color="red" leftSection={<IconBan size={16} />} onClick={onRevoke}>
              Revoke
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}

const maxShownScopes = 3

/** Shows the first scopes, and all of them on hover or focus. */
function ScopeSummary({ scopes }: { scopes: readonly string[] }) {
  if (scopes.length <= maxShownScopes) return <span>{scopes.join(', ')}</span>
  return (
    <Tooltip label={scopes.join(', ')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <span tabIndex={0}>
        {scopes.slice(0, maxShownScopes - 1).join(', ')} and {scopes.length - maxShownScopes + 1} more
      </span>
    </Tooltip>
  )
}

function NoKeys({ applicationId, hasEnded }: { applicationId: string | undefined; hasEnded: boolean }) {
  const target = applicationId === undefined ? '' : ` --application ${applicationId}`
  return (
    <EmptyState
      icon={<IconKey size={22} />}
      title={hasEnded ? 'No valid API keys' : 'No API keys yet'}
      action={<CommandLine code={`quayside keys create ci${target} --scope builds:create --expires 90d`} />}
    >
      {hasEnded ? apiKeyText.noneValid : apiKeyText.none}
    </EmptyState>
  )
}
