import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { showFailure } from '../../ui/toast.tsx'
import classes from './role-select.module.css'

type Props<Role extends string> = {
  /** Whose role it is, for screen readers. */
  name: string
  value: Role
  roles: readonly { value: Role; label: string }[]
  onChange: (role: Role) => Promise<unknown>
}

/** Changes a role at once. Shows the new role while it is saved. */
export function RoleSelect<Role extends string>({ name, value, roles, onChange }: Props<Role>) {
  const [pending, setPending] = useState<Role>()
  async function change(role: Role | undefined): Promise<void> {
    if (role === undefined) return
    setPending(role)
    await onChange(role).catch(showFailure)
    setPending(undefined)
  }
  return (
    <NativeSelect
      size="xs"
      className={classes.select}
      aria-label={`Role of ${name}`}
      value={pending ?? value}
      disabled={pending !== undefined}
      onChange={({ currentTarget }) =>
        void change(roles.find((role) => role.value === currentTarget.value)?.value)
      }
      data={[...roles]}
    />
  )
}
