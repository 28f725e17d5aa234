import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { fieldErrorsOf } from '../../../api/errors.ts';
import { releaseText } from '../../../text/release.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { showDone } from '../../../ui/toast.tsx';
import { LabelInput } from '../label-input.tsx';
import { releasePath, useReleaseChange } from '../use-release-change.ts';
import { parseVersion, versionError } from '../version.ts';
/** Edits the version, title and labels of a release. */
export function EditDialog({ release, onClose }) {
    const change = useReleaseChange(release);
    const [version, setVersion] = useState(release.version);
    const [title, setTitle] = useState(release.title);
    const [labels, setLabels] = useState(release.labels.map(({ name }) => name));
    const [error, setError] = useState();
    const [isRunning, setIsRunning] = useState(false);
    const fields = parseVersion(version);
    async function save() {
        if (fields === undefined)
            return;
        setIsRunning(true);
        try {
            await change(() => api.updateRelease({ ...releasePath(release), body: { title, labels, ...fields } }));
            showDone('Release updated.');
            onClose();
        }
        catch (failure) {
            setError(failure);
        }
        finally {
            setIsRunning(false);
        }
    }
    const errors = fieldErrorsOf(error);
    return (_jsx(Modal, { opened: true, onClose: onClose, title: "Edit release", children: _jsx("form", { onSubmit: (event) => {
                event.preventDefault();
                void save();
            }, children: _jsxs(Stack, { children: [_jsx(TextInput, { label: "Version", value: version, onChange: (event) => setVersion(event.currentTarget.value), error: fields === undefined ? releaseText.version.invalid : versionError(errors), required: true, "data-autofocus": true }), _jsx(TextInput, { label: "Title", value: title, maxLength: 200, onChange: (event) => setTitle(event.currentTarget.value), error: errors['title'], required: true }), _jsx(LabelInput, { applicationId: release.application_id, value: labels, onChange: setLabels, error: errors['labels'] }), error !== undefined && Object.keys(errors).length === 0 && _jsx(FailureBanner, { error: error }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", loading: isRunning, disabled: fields === undefined || title.trim() === '', children: "Save" })] })] }) }) }));
}
