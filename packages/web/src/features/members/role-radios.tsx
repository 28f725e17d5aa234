import { Radio, Stack } from '@mantine/core'

type Props<Role extends string> = {
  label?: string
  value: Role
  onChange: (role: Role) => void
  roles: readonly { value: Role; label: string; description: string }[]
  error?: React.ReactNode
}

/** Selects a role, with what each of them can do. */
export function RoleRadios<Role extends string>({
  label = 'Role',
  value,
  onChange,
  roles,
  error,
}: Props<Role>) {
  const select = (text: string) => {
    const role = roles.find((each) => each.value === text)
    if (role !== undefined) onChange(role.value)
  }
  return (
    <Radio.Group label={label} value={value} onChange={select} error={error}>
      <Stack gap="xs" mt={6}>
        {roles.map((role) => (
          <Radio key={role.value} value={role.value} label={role.label} description={role.description} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
