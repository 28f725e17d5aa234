import { Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { applicationRoles } from '../../../text/members/members.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { scrollingOptions } from '../../../ui/forms/scrolling-options.ts'
import { RoleRadios } from '../role-radios.tsx'
import type { Role } from './use-team-roles.ts'

type Props = {
  title: string
  /** The label of the field in which a team or an application is selected. */
  label: string
  options: readonly { id: string; name: string }[]
  texts: { select: string; none: string }
  onAdd: (id: string, role: Role) => Promise<void>
  onClose: () => void
}

/** Gives a team a role in an application, one of which is selected. */
export function AddRoleDialog({ title, label, options, texts, onAdd, onClose }: Props) {
  const form = useForm<{ id: string | null; role: Role }>({
    initialValues: { id: null, role: 'developer' },
    validate: { id: (id) => (id === null ? texts.select : null) },
  })
  return (
    <FormDialog
      title={title}
      submitLabel="Add"
      form={form}
      onClose={onClose}
      isDisabled={options.length === 0}
      onSubmit={async ({ id, role }) => {
        await onAdd(id ?? '', role)
        onClose()
      }}
    >
      {options.length === 0 ? (
        <Text fz="sm">{texts.none}</Text>
      ) : (
        <>
          <Select
            label={label}
            searchable
            data-autofocus
            {...scrollingOptions}
            {...form.getInputProps('id')}
            data={options.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <RoleRadios<Role>
            roles={applicationRoles}
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role)}
            error={form.errors['role']}
          />
        </>
      )}
    </FormDialog>
  )
}
