import { ScrollArea, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { DistributionGroup } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addedText, groupText } from '../../text/distribution/distribution-groups.ts'
import { plural } from '../../ui/format/bytes.ts'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { IconAlertCircle, IconCheck, IconMinus } from '../../ui/icons/icons.ts'
import classes from './add-members-dialog.module.css'
import { addMembers, type MemberResult } from './add-members.ts'
import { reloadGroups } from './group.queries.ts'
import { parseEmails, type ParsedEmail } from './parse-emails.ts'

type Line = { email: string; isGood: boolean; isProblem: boolean; note: string }

/** Adds many people at once by their addresses, and shows what became of each. */
export function AddMembersDialog({ group, onClose }: { group: DistributionGroup; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [results, setResults] = useState<MemberResult[]>()
  const form = useForm({ initialValues: { emails: '' } })
  const parsed = parseEmails(form.values.emails)
  const emails = parsed.filter(({ state }) => state === 'new').map(({ email }) => email)
  if (results !== undefined) return <ResultDialog results={results} onClose={onClose} />
  return (
    <FormDialog
      title={`Add members to ${group.name}`}
      submitLabel={emails.length === 0 ? 'Add members' : `Add ${plural(emails.length, 'member')}`}
      form={form}
      onSubmit={async () => {
        setResults(await addMembers(group.id, emails))
        await reloadGroups(queryClient)
      }}
      onClose={onClose}
      isDisabled={emails.length === 0}
      size="lg"
      note={groupText.noEmail}
    >
      <Textarea
        label="Email addresses"
        description={
          group.type === 'internal' ? `${groupText.emails} ${groupText.types.internal}.` : groupText.emails
        }
        placeholder={'ana@example.com\nBen Ito <ben@example.com>'}
        autosize
        minRows={5}
        maxRows={12}
        spellCheck={false}
        autoCapitalize="none"
        data-autofocus
        {...form.getInputProps('emails')}
      />
      <LineList lines={parsed.filter(({ state }) => state !== 'new').map(lineOfInput)} />
    </FormDialog>
  )
}

function ResultDialog({ results, onClose }: { results: readonly MemberResult[]; onClose: () => void }) {
  const countOf = (result: MemberResult['result']) => results.filter((each) => each.result === result).length
  return (
    <DoneDialog
      title={addedText(countOf('added'), countOf('existing'), countOf('refused'))}
      onClose={onClose}
      size="lg"
    >
      <LineList
        lines={results.map(lineOfResult).toSorted((a, b) => Number(b.isProblem) - Number(a.isProblem))}
      />
    </DoneDialog>
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
