import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconCheck, IconTrash } from '@tabler/icons-react';
import { allColumns } from './build-columns.ts';
const orders = [
    { label: 'Newest first', sort_by: undefined, sort: undefined },
    { label: 'Oldest first', sort_by: 'created_at', sort: 'asc' },
    { label: 'Highest version first', sort_by: 'version', sort: 'desc' },
    { label: 'Largest first', sort_by: 'size_total_bytes', sort: 'desc' },
    { label: 'Built most recently', sort_by: 'built_at', sort: 'desc' },
];
const keptStates = [
    { label: 'All builds', kept: undefined },
    { label: 'Only kept builds', kept: true },
    { label: 'Only builds subject to retention', kept: false },
];
/** Chooses the order, the columns, and whether the list shows the trash. */
export function ViewMenu({ columns, onToggle, search, onChange }) {
    const check = (isOn) => (isOn ? _jsx(IconCheck, { size: 14, "aria-label": "selected" }) : null);
    return (_jsxs(Menu, { position: "bottom-end", width: 250, closeOnItemClick: false, children: [_jsx(Menu.Target, { children: _jsx(ActionIcon, { variant: "default", size: "lg", "aria-label": "View", children: _jsx(IconAdjustmentsHorizontal, { size: 18 }) }) }), _jsxs(Menu.Dropdown, { children: [_jsx(Menu.Label, { children: "Order" }), orders.map(({ label, sort_by, sort }) => (_jsx(Menu.Item, { onClick: () => onChange({ sort_by, sort }), rightSection: check(search.sort_by === sort_by && search.sort === sort), children: label }, label))), _jsx(Menu.Divider, {}), _jsx(Menu.Label, { children: "Columns" }), allColumns.map(({ id, label }) => (_jsx(Menu.Item, { onClick: () => onToggle(id), rightSection: check(columns.includes(id)), children: label }, id))), _jsx(Menu.Divider, {}), _jsx(Menu.Label, { children: "Show" }), keptStates.map(({ label, kept }) => (_jsx(Menu.Item, { onClick: () => onChange({ kept }), rightSection: check(search.kept === kept), children: label }, label))), _jsx(Menu.Item, { leftSection: _jsx(IconTrash, { size: 15 }), onClick: () => onChange({ trashed: search.trashed === true ? undefined : true }), rightSection: check(search.trashed === true), children: "Trash" })] })] }));
}
