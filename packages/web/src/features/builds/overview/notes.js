import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, SegmentedControl, Skeleton, Text, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../../api/client.ts';
import { fieldErrorsOf } from '../../../api/errors.ts';
import { useSession } from '../../../api/session.ts';
import { buildText } from '../../../text/build.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { Section } from '../../../ui/section.tsx';
import { buildQuery } from '../build.queries.ts';
import classes from './overview.module.css';
const MarkdownText = lazy(async () => ({ default: (await import('../../../ui/markdown.tsx')).MarkdownText }));
const maxLength = 1000;
/** The notes of a build, which are edited in place. */
export function Notes({ build }) {
    const [isEditing, setIsEditing] = useState(false);
    const { can } = useSession();
    const canWrite = can('builds:write', build.application_id);
    const { notes } = build;
    return (_jsx(Section, { title: "Notes", actions: canWrite &&
            !isEditing && (_jsx(Button, { size: "compact-sm", variant: "subtle", color: "gray", leftSection: _jsx(IconPencil, { size: 14 }), onClick: () => setIsEditing(true), children: notes === null ? 'Write notes' : 'Edit' })), children: isEditing ? (_jsx(NotesEditor, { build: build, onClose: () => setIsEditing(false) })) : notes === null ? (_jsx(Text, { fz: "sm", c: "dimmed", children: canWrite ? buildText.notes.empty : buildText.notes.emptyReadonly })) : (_jsx(Rendered, { text: notes })) }));
}
function Rendered({ text }) {
    return (_jsx("div", { className: classes.notes, children: _jsx(Suspense, { fallback: _jsx(Skeleton, { height: 16, width: "60%" }), children: _jsx(MarkdownText, { text: text }) }) }));
}
function NotesEditor({ build, onClose }) {
    const [text, setText] = useState(build.notes ?? '');
    const [mode, setMode] = useState('write');
    const [isSaving, setIsSaving] = useState(false);
    const [error, setError] = useState();
    const queryClient = useQueryClient();
    async function save() {
        setIsSaving(true);
        try {
            const { data } = await api.updateBuild({
                application_id: build.application_id,
                build_id: build.id,
                body: { notes: text.trim() === '' ? null : text },
            });
            queryClient.setQueryData(buildQuery(build.application_id, build.id).queryKey, data);
            onClose();
        }
        catch (failure) {
            setError(failure);
        }
        finally {
            setIsSaving(false);
        }
    }
    const fieldError = fieldErrorsOf(error)['notes'];
    return (_jsxs("form", { className: classes.editor, onSubmit: (event) => {
            event.preventDefault();
            void save();
        }, onKeyDown: (event) => {
            if (event.key === 'Escape')
                onClose();
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                void save();
        }, children: [_jsx(SegmentedControl, { size: "xs", w: "fit-content", "aria-label": "Mode of the editor", data: [
                    { value: 'write', label: 'Write' },
                    { value: 'preview', label: 'Preview' },
                ], value: mode, onChange: (value) => setMode(value === 'preview' ? 'preview' : 'write') }), mode === 'write' ? (_jsx(Textarea, { "aria-label": "Notes", autosize: true, minRows: 6, maxRows: 20, maxLength: maxLength, value: text, onChange: (event) => setText(event.currentTarget.value), error: fieldError, autoFocus: true })) : (_jsx("div", { className: classes.preview, children: _jsx(Rendered, { text: text }) })), error !== undefined && fieldError === undefined && _jsx(FailureBanner, { error: error }), _jsxs("div", { className: classes.foot, children: [_jsxs(Text, { fz: "xs", c: "dimmed", children: [buildText.notes.help, " ", text.length, " / ", maxLength] }), _jsx(Button, { size: "xs", variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { size: "xs", type: "submit", loading: isSaving, children: "Save" })] })] }));
}
