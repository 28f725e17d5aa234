import { Button, Switch } from '@mantine/core'
import type { NotificationRule } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { kindNames, notificationText as text } from '../../text/notifications.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconBell, IconPlus } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { NotificationRuleDialog } from './notification-rule-dialog.tsx'
import { notificationRulesQuery, notificationSettingsQuery } from './notification.queries.ts'

/** Lists what the person is notified of. */
export function NotificationRules() {
  const queryClient = useQueryClient()
  const query = useQuery(notificationRulesQuery)
  const { data: applications = [] } = useQuery(applicationsQuery)
  const [isAdding, setIsAdding] = useState(false)
  const reload = () => queryClient.invalidateQueries({ queryKey: notificationRulesQuery.queryKey })
  const { data: settings } = useQuery(notificationSettingsQuery)
  const change = async (rule: NotificationRule, body: { sends_email?: boolean; sends_chat?: boolean }) => {
    await api.updateNotificationRule({ notification_rule_id: rule.id, body })
    await reload()
  }
  const remove = async (rule: NotificationRule) => {
    await api.deleteNotificationRule({ notification_rule_id: rule.id })
    await reload()
    showDone(text.ruleDeleted)
  }
  const conditionsOf = ({ application_id: id, stream, platform, label, own_only: isOwn }: NotificationRule) =>
    [
      id === null ? 'All applications' : (applications.find((each) => each.id === id)?.name ?? id),
      stream === null ? '' : `Stream ${stream}`,
      platform === null ? '' : `Platform ${platform}`,
      label === null ? '' : `Label ${label}`,
      isOwn ? 'Your builds' : '',
    ].filter((part) => part !== '')
  const nameOf = (rule: NotificationRule) => [kindNames[rule.kind], ...conditionsOf(rule)].join(', ')
  const hasChat = typeof settings?.chat_url === 'string'
  return (
    <SettingsSection
      title="Rules"
      description={text.rules}
      action={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setIsAdding(true)}>
          Add a rule
        </Button>
      }
    >
      <Loaded query={query} rows={3}>
        {(rules) =>
          rules.length === 0 ? (
            <EmptyState icon={<IconBell size={22} />} title="No rules">
              {text.noRules}
            </EmptyState>
          ) : (
            <ItemList label="Notification rules">
              {rules.map((rule) => (
                <Item
                  key={rule.id}
                  title={kindNames[rule.kind]}
                  detail={conditionsOf(rule).join(' · ')}
                  end={
                    <>
                      <Switch
                        label="Email"
                        aria-label={`Email: ${nameOf(rule)}`}
                        checked={rule.sends_email}
                        onChange={({ currentTarget: { checked } }) =>
                          void change(rule, { sends_email: checked }).catch(showFailure)
                        }
                      />
                      {(hasChat || rule.sends_chat) && (
                        <Switch
                          label="Chat"
                          aria-label={`Chat: ${nameOf(rule)}`}
                          checked={rule.sends_chat}
                          onChange={({ currentTarget: { checked } }) =>
                            void change(rule, { sends_chat: checked }).catch(showFailure)
                          }
                        />
                      )}
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        aria-label={`Delete rule: ${nameOf(rule)}`}
                        onClick={() => void remove(rule).catch(showFailure)}
                      >
                        Delete
                      </Button>
                    </>
                  }
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {isAdding && <NotificationRuleDialog onClose={() => setIsAdding(false)} onAdded={reload} />}
    </SettingsSection>
  )
}
