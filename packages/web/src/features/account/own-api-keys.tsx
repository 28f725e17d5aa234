import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { accountText } from '../../text/account.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconKey } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { ownApiKeysQuery } from './account.queries.ts'

/** Lists the workspace keys that the person has created. */
export function OwnApiKeys() {
  const { user } = useSession()
  const query = useQuery(ownApiKeysQuery(user.id))
  const manage = (
    <ButtonLink to="/settings" search={{ section: 'api-keys' }} variant="default">
      Manage API keys
    </ButtonLink>
  )
  return (
    <SettingsSection title="API keys" description={accountText.apiKeys} action={manage}>
      <Loaded query={query} rows={2}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState
              icon={<IconKey size={22} />}
              title="You have created no workspace keys"
              action={<CommandLine code="quayside keys create ci --scope builds:create" />}
            >
              {accountText.apiKeysEmpty}
            </EmptyState>
          ) : (
            <ItemList label="API keys">
              {keys.map((key) => (
                <Item
                  key={key.id}
                  leading={<IconKey size={20} />}
                  title={key.name}
                  detail={
                    <>
                      <code>{key.prefix}…</code>
                      <span>
                        {key.last_used_at === null ? (
                          'Never used'
                        ) : (
                          <>
                            Last used <RelativeTime time={key.last_used_at} />
                          </>
                        )}
                      </span>
                      {key.expires_at !== null && (
                        <span>
                          Expires <RelativeTime time={key.expires_at} />
                        </span>
                      )}
                    </>
                  }
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
    </SettingsSection>
  )
}
