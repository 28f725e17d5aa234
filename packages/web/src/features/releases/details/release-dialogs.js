import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { fieldErrorsOf } from '../../../api/errors.ts';
import { releaseText } from '../../../text/release.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { showDone } from '../../../ui/toast.tsx';
import { futureTimestamp, localInput, ScheduleFields } from '../schedule-fields.tsx';
import { releasePath, useReleaseChange } from '../use-release-change.ts';
import { AudienceSummary } from './audience-summary.tsx';
const nameOf = ({ version, title }) => `${version} · ${title}`;
/** Asks before a release is published, and says who is notified and where it becomes visible. */
export function PublishDialog({ release, onClose }) {
    const change = useReleaseChange(release);
    const verb = release.status === 'withdrawn' ? 'Publish again' : 'Publish';
    return (_jsx(ConfirmDialog, { title: `${verb}: ${nameOf(release)}`, confirmLabel: verb, onClose: onClose, onConfirm: async () => {
            const { notified_count: count } = await change(() => api.publishRelease(releasePath(release)));
            showDone(releaseText.created.published(count));
        }, children: _jsxs(Stack, { gap: "sm", children: [release.build_count === 0 && (_jsx(Text, { fz: "sm", c: "var(--q-warn)", children: releaseText.builds.none })), _jsx(AudienceSummary, { release: release })] }) }));
}
/** Chooses the time at which a release is published automatically. */
export function ScheduleDialog({ release, onClose }) {
    const change = useReleaseChange(release);
    const [value, setValue] = useState(release.scheduled_for === null ? '' : localInput(new Date(release.scheduled_for)));
    const [error, setError] = useState();
    const [isRunning, setIsRunning] = useState(false);
    const [isChecked, setIsChecked] = useState(false);
    const time = futureTimestamp(value);
    async function schedule() {
        setIsChecked(true);
        if (time === undefined)
            return;
        setIsRunning(true);
        try {
            await change(() => api.scheduleRelease({ ...releasePath(release), body: { scheduled_for: time } }));
            showDone(releaseText.created.scheduled);
            onClose();
        }
        catch (failure) {
            setError(failure);
        }
        finally {
            setIsRunning(false);
        }
    }
    const fieldError = fieldErrorsOf(error)['scheduled_for'] ??
        (isChecked && value === '' ? releaseText.schedule.missing : undefined);
    return (_jsx(Modal, { opened: true, onClose: onClose, title: `Schedule: ${nameOf(release)}`, children: _jsx("form", { noValidate: true, onSubmit: (event) => {
                event.preventDefault();
                void schedule();
            }, children: _jsxs(Stack, { children: [_jsx(ScheduleFields, { value: value, onChange: setValue, error: fieldError }), _jsx(AudienceSummary, { release: release }), error !== undefined && fieldError === undefined && _jsx(FailureBanner, { error: error }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", loading: isRunning, children: release.status === 'scheduled' ? 'Change the time' : 'Schedule' })] })] }) }) }));
}
/** Asks before a release is hidden, or before its scheduled publication is canceled. */
export function WithdrawDialog({ release, onClose }) {
    const change = useReleaseChange(release);
    const isPublished = release.status === 'published';
    return (_jsx(ConfirmDialog, { title: `${isPublished ? 'Withdraw' : 'Cancel the publication'}: ${nameOf(release)}`, confirmLabel: isPublished ? 'Withdraw' : 'Cancel the publication', isDangerous: isPublished, onClose: onClose, onConfirm: async () => {
            await change(() => api.withdrawRelease(releasePath(release)));
            showDone(isPublished ? 'Release withdrawn.' : 'Publication canceled.');
        }, children: _jsxs(Stack, { gap: "xs", children: [_jsx(Text, { fz: "sm", children: releaseText.withdraw[isPublished ? 'published' : 'scheduled'] }), isPublished && (_jsx(List, { size: "sm", children: releaseText.withdraw.points.map((point) => (_jsx(List.Item, { children: point }, point))) })), _jsx(Text, { fz: "sm", children: releaseText.withdraw.after })] }) }));
}
/** Asks before a release is deleted. A published one must be named, because people lose access at once. */
export function DeleteDialog({ release, onClose }) {
    const navigate = useNavigate();
    const queryClient = useQueryClient();
    const { application_id: applicationId, id } = release;
    return (_jsx(ConfirmDialog, { title: `Delete: ${nameOf(release)}`, confirmLabel: "Delete release", isDangerous: true, ...(release.status === 'published' ? { typeToConfirm: release.version } : {}), onClose: onClose, onConfirm: async () => {
            await api.deleteRelease(releasePath(release));
            await navigate({ to: '/applications/$applicationId/releases', params: { applicationId } });
            queryClient.removeQueries({ queryKey: ['applications', applicationId, 'releases', 'one', id] });
            await queryClient.invalidateQueries({ queryKey: ['applications', applicationId, 'releases', 'list'] });
            showDone('Release deleted.');
        }, children: _jsx(Text, { fz: "sm", children: releaseText.remove.consequences }) }));
}
