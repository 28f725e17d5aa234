import { jsx as _jsx } from "react/jsx-runtime";
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { showFailure } from '../../ui/toast.tsx';
import classes from './role-select.module.css';
/** Changes a role at once. Shows the new role while it is saved. */
export function RoleSelect({ name, value, roles, onChange }) {
    const [pending, setPending] = useState();
    async function change(role) {
        if (role === undefined)
            return;
        setPending(role);
        await onChange(role).catch(showFailure);
        setPending(undefined);
    }
    return (_jsx(NativeSelect, { size: "xs", className: classes.select, "aria-label": `Role of ${name}`, value: pending ?? value, disabled: pending !== undefined, onChange: ({ currentTarget }) => void change(roles.find((role) => role.value === currentTarget.value)?.value), data: [...roles] }));
}
