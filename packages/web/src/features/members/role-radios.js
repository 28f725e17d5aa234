import { jsx as _jsx } from "react/jsx-runtime";
import { Radio, Stack } from '@mantine/core';
/** Selects a role, with what each of them can do. */
export function RoleRadios({ value, onChange, roles, error }) {
    const select = (text) => {
        const role = roles.find((each) => each.value === text);
        if (role !== undefined)
            onChange(role.value);
    };
    return (_jsx(Radio.Group, { label: "Role", value: value, onChange: select, error: error, children: _jsx(Stack, { gap: "xs", mt: 6, children: roles.map((role) => (_jsx(Radio, { value: role.value, label: role.label, description: role.description }, role.value))) }) }));
}
