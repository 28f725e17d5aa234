import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { fieldErrorsOf } from '../../../api/errors.ts';
import { useSession } from '../../../api/session.ts';
import { releaseText } from '../../../text/release.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { MarkdownEditor, RenderedMarkdown } from '../../../ui/markdown-editor.tsx';
import { Section } from '../../../ui/section.tsx';
import { releasePath, useReleaseChange } from '../use-release-change.ts';
/** The number of characters that the notes of a release can have. */
export const maxNotesLength = 20000;
/** The notes of a release, which are edited in place. */
export function ReleaseNotes({ release }) {
    const [isEditing, setIsEditing] = useState(false);
    const { can } = useSession();
    const canWrite = can('releases:write', release.application_id);
    const { notes } = release;
    return (_jsx(Section, { title: "Notes", actions: canWrite &&
            !isEditing && (_jsx(Button, { size: "compact-sm", variant: "subtle", color: "gray", leftSection: _jsx(IconPencil, { size: 14 }), onClick: () => setIsEditing(true), children: notes === null ? 'Write notes' : 'Edit' })), children: isEditing ? (_jsx(NotesForm, { release: release, onClose: () => setIsEditing(false) })) : notes === null ? (_jsx(Text, { fz: "sm", c: "dimmed", children: canWrite ? releaseText.notes.empty : releaseText.notes.emptyReadonly })) : (_jsx(RenderedMarkdown, { text: notes })) }));
}
function NotesForm({ release, onClose }) {
    const change = useReleaseChange(release);
    const [text, setText] = useState(release.notes ?? '');
    const [isSaving, setIsSaving] = useState(false);
    const [error, setError] = useState();
    async function save() {
        setIsSaving(true);
        try {
            const notes = text.trim() === '' ? null : text;
            await change(() => api.updateRelease({ ...releasePath(release), body: { notes } }));
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
    return (_jsxs("form", { onSubmit: (event) => {
            event.preventDefault();
            void save();
        }, onKeyDown: (event) => {
            if (event.key === 'Escape' && text === (release.notes ?? ''))
                onClose();
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                void save();
        }, children: [_jsx(MarkdownEditor, { label: "Notes", value: text, onChange: setText, maxLength: maxNotesLength, placeholder: releaseText.notes.placeholder, help: releaseText.notes.help, error: fieldError, hasFocus: true }), error !== undefined && fieldError === undefined && _jsx(FailureBanner, { error: error }), _jsxs(Group, { gap: "xs", justify: "flex-end", mt: "xs", children: [_jsx(Button, { size: "xs", variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { size: "xs", type: "submit", loading: isSaving, children: "Save" })] })] }));
}
