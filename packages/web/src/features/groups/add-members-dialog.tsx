import { Button, Group, Modal, ScrollArea, Stack, Text, Textarea } from '@mantine/core'
import type { DistributionGroup } from '@quayside/sdk'
import { IconAlertCircle, IconCheck, IconMinus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addedText, groupText } from '../../text/groups.ts'
import { plural } from '../../ui/bytes.ts'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import classes from './add-members-dialog.module.css'
import { addMembers, type MemberResult } from './add-members.ts'
import { reloadGroups } from './group.queries.ts'
import { parseEmails, type ParsedEmail } from './parse-emails.ts'

type Line = { email: string; isGood: boolean; isProblem: boolean; note: string }

/** Adds many people at once by their addresses, and shows what became of each. */
export function AddMembersDialog({ group, onClose }: { group: DistributionGroup; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [results, setResults] = useState<MemberResult[]>()
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const parsed = parseEmails(text)
  const emails = parsed.filter(({ state }) => state === 'new').map(({ email }) => email)
  async function add(): Promise<void> {
    setIsRunning(true)
    setError(undefined)
    try {
      setResults(await addMembers(group.id, emails))
      await reloadGroups(queryClient)
    } catch (failure) {
      setError(failure)
    } finally {
      setIsRunning(false)
    }
  }
  if (results !== undefined) return <ResultDialog results={results} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={`Add members to ${group.name}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Stack>
          <Textarea
            label="Email addresses"
            description={
              group.type === 'internal'
                ? `${groupText.emails} ${groupText.types.internal}.`
                : groupText.emails
            }
            placeholder={'ana@example.com\nBen Ito <ben@example.com>'}
            autosize
            minRows={5}
            maxRows={12}
            spellCheck={false}
            autoCapitalize="none"
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <LineList lines={parsed.filter(({ state }) => state !== 'new').map(lineOfInput)} />
          {error !== undefined && <FailureBanner error={error} />}
          <Group justify="space-between" gap="xs">
            <Text fz="sm" c="dimmed">
              {groupText.noEmail}
            </Text>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={isRunning} disabled={emails.length === 0}>
                {emails.length === 0 ? 'Add members' : `Add ${plural(emails.length, 'member')}`}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function ResultDialog({ results, onClose }: { results: readonly MemberResult[]; onClose: () => void }) {
  const countOf = (result: MemberResult['result']) => results.filter((each) => each.result === result).length
  return (
    <Modal
      opened
      onClose={onClose}
      title={addedText(countOf('added'), countOf('existing'), countOf('refused'))}
      size="lg"
    >
      <Stack>
        <LineList
          lines={results.map(lineOfResult).toSorted((a, b) => Number(b.isProblem) - Number(a.isProblem))}
        />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const lineOfInput = ({ email, state }: ParsedEmail): Line => ({
  email,
  isGood: false,
  isProblem: state === 'invalid',
  note: state === 'invalid' ? 'is not an email address' : 'appears twice',
})

const lineOfResult = ({ email, result, reason }: MemberResult): Line => ({
  email,
  isGood: result === 'added',
  isProblem: result === 'refused',
  note: { added: 'added', existing: 'already in the group', refused: reason ?? 'refused' }[result],
})

function LineList({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null
  return (
    <ScrollArea.Autosize mah="40vh" className={classes.box} viewportProps={{ tabIndex: 0 }}>
      <ul className={classes.lines} aria-live="polite">
        {lines.map(({ email, isGood, isProblem, note }, index) => (
          // The same address may appear several times.
          <li key={`${index} ${email}`} className={classes.line} data-problem={isProblem || undefined}>
            {isGood ? (
              <IconCheck size={16} color="var(--q-good)" aria-hidden />
            ) : isProblem ? (
              <IconAlertCircle size={16} color="var(--q-bad)" aria-hidden />
            ) : (
              <IconMinus size={16} color="var(--q-soft)" aria-hidden />
            )}
            <span className={classes.email}>{email}</span>
            <span className={classes.note}>{note}</span>
          </li>
        ))}
      </ul>
    </ScrollArea.Autosize>
  )
}
