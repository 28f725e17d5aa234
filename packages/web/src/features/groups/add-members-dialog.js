import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, ScrollArea, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconMinus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addedText, groupText } from '../../text/groups.ts';
import { plural } from '../../ui/bytes.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import classes from './add-members-dialog.module.css';
import { addMembers } from './add-members.ts';
import { reloadGroups } from './group.queries.ts';
import { parseEmails } from './parse-emails.ts';
/** Adds many people at once by their addresses, and shows what became of each. */
export function AddMembersDialog({ group, onClose }) {
    const queryClient = useQueryClient();
    const [text, setText] = useState('');
    const [results, setResults] = useState();
    const [isRunning, setIsRunning] = useState(false);
    const [error, setError] = useState();
    const parsed = parseEmails(text);
    const emails = parsed.filter(({ state }) => state === 'new').map(({ email }) => email);
    async function add() {
        setIsRunning(true);
        setError(undefined);
        try {
            setResults(await addMembers(group.id, emails));
            await reloadGroups(queryClient);
        }
        catch (failure) {
            setError(failure);
        }
        finally {
            setIsRunning(false);
        }
    }
    if (results !== undefined)
        return _jsx(ResultDialog, { results: results, onClose: onClose });
    return (_jsx(Modal, { opened: true, onClose: onClose, title: `Add members to ${group.name}`, size: "lg", children: _jsx("form", { onSubmit: (event) => {
                event.preventDefault();
                void add();
            }, children: _jsxs(Stack, { children: [_jsx(Textarea, { label: "Email addresses", description: group.type === 'internal'
                            ? `${groupText.emails} ${groupText.types.internal}.`
                            : groupText.emails, placeholder: 'ana@example.com\nBen Ito <ben@example.com>', autosize: true, minRows: 5, maxRows: 12, spellCheck: false, autoCapitalize: "none", "data-autofocus": true, value: text, onChange: (event) => setText(event.currentTarget.value) }), _jsx(LineList, { lines: parsed.filter(({ state }) => state !== 'new').map(lineOfInput) }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsxs(Group, { justify: "space-between", gap: "xs", children: [_jsx(Text, { fz: "sm", c: "dimmed", children: groupText.noEmail }), _jsxs(Group, { gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", loading: isRunning, disabled: emails.length === 0, children: emails.length === 0 ? 'Add members' : `Add ${plural(emails.length, 'member')}` })] })] })] }) }) }));
}
function ResultDialog({ results, onClose }) {
    const countOf = (result) => results.filter((each) => each.result === result).length;
    return (_jsx(Modal, { opened: true, onClose: onClose, title: addedText(countOf('added'), countOf('existing')), size: "lg", children: _jsxs(Stack, { children: [_jsx(LineList, { lines: results.map(lineOfResult).toSorted((a, b) => Number(b.isProblem) - Number(a.isProblem)) }), _jsx(Group, { justify: "flex-end", children: _jsx(Button, { onClick: onClose, "data-autofocus": true, children: "Done" }) })] }) }));
}
const lineOfInput = ({ email, state }) => ({
    email,
    isGood: false,
    isProblem: state === 'invalid',
    note: state === 'invalid' ? 'is not an email address' : 'appears twice',
});
const lineOfResult = ({ email, result, reason }) => ({
    email,
    isGood: result === 'added',
    isProblem: result === 'refused',
    note: { added: 'added', existing: 'already in the group', refused: reason ?? 'refused' }[result],
});
function LineList({ lines }) {
    if (lines.length === 0)
        return null;
    return (_jsx(ScrollArea.Autosize, { mah: "40vh", className: classes.box, viewportProps: { tabIndex: 0 }, children: _jsx("ul", { className: classes.lines, "aria-live": "polite", children: lines.map(({ email, isGood, isProblem, note }, index) => (_jsxs("li", { className: classes.line, "data-problem": isProblem || undefined, children: [isGood ? (_jsx(IconCheck, { size: 16, color: "var(--q-good)", "aria-hidden": true })) : isProblem ? (_jsx(IconAlertCircle, { size: 16, color: "var(--q-bad)", "aria-hidden": true })) : (_jsx(IconMinus, { size: 16, color: "var(--q-soft)", "aria-hidden": true })), _jsx("span", { className: classes.email, children: email }), _jsx("span", { className: classes.note, children: note })] }, `${index} ${email}`))) }) }));
}
