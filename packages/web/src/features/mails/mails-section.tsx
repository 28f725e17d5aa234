import { Button, Pagination, SegmentedControl } from '@mantine/core'
import type { Mail } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { optionalOneOf } from '../../api/search-params.ts'
import { settingsText } from '../../text/settings.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconMail } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { mailPageQuery } from './mail.queries.ts'

const route = getRouteApi('/console/settings')
const states = ['waiting', 'sent', 'failed'] as const
const tones = { waiting: 'warn', sent: 'good', failed: 'bad' } as const

/** The outbox: every email of the workspace with its state and, until it is sent, its text. */
export function MailsSection() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const state = optionalOneOf(search.state, states)
  const page = Number(search.page ?? 1)
  const query = useQuery(mailPageQuery(page, state))
  const show = (change: { state?: string | undefined; page?: string | undefined }) =>
    void navigate({ to: '/settings', search: { section: 'emails', state, ...change } })
  return (
    <SettingsSection title="Emails" description={settingsText.emails}>
      <SegmentedControl
        mb="md"
        size="xs"
        aria-label="State"
        value={state ?? 'all'}
        onChange={(value) => show({ state: value === 'all' ? undefined : value })}
        data={[
          { value: 'all', label: 'All' },
          { value: 'waiting', label: 'Waiting' },
          { value: 'sent', label: 'Sent' },
          { value: 'failed', label: 'Failed' },
        ]}
      />
      <Loaded query={query}>
        {({ data: mails, pagination }) =>
          mails.length === 0 ? (
            <EmptyState icon={<IconMail size={22} />} title="No emails">
              {state === undefined ? settingsText.noEmails : settingsText.noEmailsInState}
            </EmptyState>
          ) : (
            <>
              <ItemList label="Emails">
                {mails.map((mail) => (
                  <MailItem key={mail.id} mail={mail} />
                ))}
              </ItemList>
              {pagination.last_page > 1 && (
                <Pagination
                  mt="md"
                  total={pagination.last_page}
                  value={page}
                  onChange={(next) => show({ page: String(next) })}
                  getControlProps={(control) => ({ 'aria-label': `${control} page` })}
                />
              )}
            </>
          )
        }
      </Loaded>
    </SettingsSection>
  )
}

function MailItem({ mail }: { mail: Mail }) {
  const [isOpen, setIsOpen] = useState(false)
  const { subject, recipient, state, error, text_body: text, created_at: createdAt, sent_at: sentAt } = mail
  return (
    <Item
      leading={<IconMail size={18} />}
      title={
        <>
          {subject}
          <StateBadge tone={tones[state]}>{state}</StateBadge>
        </>
      }
      detail={
        <>
          <span>to {recipient}</span>
          <RelativeTime time={sentAt ?? createdAt} />
        </>
      }
      end={
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      }
    >
      {isOpen && (
        <>
          {error !== null && <Notice kind="bad">{error}</Notice>}
          {text === null ? settingsText.textDeleted : <CommandLine code={text} label="text" />}
        </>
      )}
    </Item>
  )
}
