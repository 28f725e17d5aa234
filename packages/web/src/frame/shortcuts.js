import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Kbd, Modal, Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { setOpenShortcuts } from './shortcuts-store.ts';
const rows = [
    [['Ctrl', 'K'], 'Search, go to a page or run an action (⌘ K on a Mac)'],
    [['/'], 'Search in the list'],
    [['j'], 'Next row'],
    [['k'], 'Previous row'],
    [['Enter'], 'Open the row'],
    [['x'], 'Select the row'],
    [['u'], 'Upload builds'],
    [['Esc'], 'Close a dialog or clear the selection'],
    [['?'], 'Show this list'],
];
/** Handles the shortcuts that work on every page and shows the list of all shortcuts. */
export function Shortcuts() {
    const [isOpen, setIsOpen] = useState(false);
    const navigate = useNavigate();
    useEffect(() => setOpenShortcuts(() => setIsOpen(true)), []);
    useHotkeys([
        ['shift+?', () => setIsOpen(true)],
        ['?', () => setIsOpen(true)],
        ['u', () => void navigate({ to: '/upload' })],
        ['/', () => document.querySelector('input[data-list-search]')?.focus()],
    ]);
    return (_jsx(Modal, { opened: isOpen, onClose: () => setIsOpen(false), title: "Keyboard shortcuts", children: _jsx(Table, { children: _jsx(Table.Tbody, { children: rows.map(([keys, meaning]) => (_jsxs(Table.Tr, { children: [_jsx(Table.Td, { w: "7rem", children: keys.map((key) => (_jsx(Kbd, { mr: 4, children: key }, key))) }), _jsx(Table.Td, { children: meaning })] }, meaning))) }) }) }));
}
