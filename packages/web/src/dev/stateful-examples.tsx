import { Button, Menu } from '@mantine/core'
import { useForm } from '@mantine/form'
import { QuaysideError } from '@quayside/sdk'
import { useState } from 'react'
import { CommandLine } from '../ui/command-line.tsx'
import { ConfirmDialog } from '../ui/forms/confirm-dialog.tsx'
import { DoneDialog } from '../ui/forms/done-dialog.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { PasswordField } from '../ui/forms/password-field.tsx'
import { ScopePicker } from '../ui/forms/scope-picker.tsx'
import { MarkdownEditor } from '../ui/markdown/markdown-editor.tsx'
import { NotesSection } from '../ui/markdown/notes-section.tsx'
import { FilterMenu } from '../ui/menu/filter-menu.tsx'
import { RowMenu } from '../ui/menu/row-menu.tsx'

export const refusal = new QuaysideError(422, 'The name is taken. Choose another one.', {
  requestId: '01k9…',
})
export const notes =
  '## Fixed\n\n- Crash when the **camera** permission was denied\n- [Details](https://example.com)'

export function Notes({ value, canWrite = true }: { value: string | null; canWrite?: boolean }) {
  const texts = { empty: 'No notes yet.', emptyReadonly: 'No notes.', help: 'Markdown is supported.' }
  return (
    <NotesSection
      notes={value}
      canWrite={canWrite}
      maxLength={100}
      texts={texts}
      save={() => Promise.reject(refusal)}
    />
  )
}

export function Editor({ error }: { error?: string }) {
  const [value, setValue] = useState(notes)
  return <MarkdownEditor label="Notes" value={value} onChange={setValue} maxLength={100} error={error} />
}

export function Filter() {
  const [values, setValues] = useState<string[]>(['ios'])
  const options = ['android', 'ios'].map((value) => ({ value, label: value }))
  return <FilterMenu label="Platform" options={options} values={values} onChange={setValues} />
}

export function Scopes() {
  const [value, setValue] = useState(['builds:create'])
  return <ScopePicker kind="application" value={value} onChange={setValue} />
}

export function Dialogs() {
  const [opened, setOpened] = useState<'form' | 'confirm' | 'done'>()
  const onClose = () => setOpened(undefined)
  const form = useForm({ initialValues: { password: '' } })
  const fail = () => Promise.reject(refusal)
  return (
    <Button.Group>
      <Button onClick={() => setOpened('form')}>Form that fails</Button>
      <Button onClick={() => setOpened('confirm')}>Question that fails</Button>
      <Button onClick={() => setOpened('done')}>Result</Button>
      {opened === 'form' && (
        <FormDialog
          title="Form"
          submitLabel="Create"
          form={form}
          onSubmit={fail}
          onClose={onClose}
          note="A remark"
        >
          <PasswordField label="Password" data-autofocus {...form.getInputProps('password')} />
        </FormDialog>
      )}
      {opened === 'confirm' && (
        <ConfirmDialog
          title="Delete it?"
          confirmLabel="Delete"
          isDangerous
          typeToConfirm="2.14.0"
          onConfirm={fail}
          onClose={onClose}
        >
          It cannot be restored.
        </ConfirmDialog>
      )}
      {opened === 'done' && (
        <DoneDialog title="Secret" keepsOpen="until the button is pressed" onClose={onClose}>
          <CommandLine code="whsec_…" />
        </DoneDialog>
      )}
    </Button.Group>
  )
}

export function menu() {
  return (
    <RowMenu label="Actions">
      <Menu.Item>Rename</Menu.Item>
      <Menu.Item color="red">Delete</Menu.Item>
    </RowMenu>
  )
}
