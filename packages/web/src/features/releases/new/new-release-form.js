import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { fieldErrorsOf } from '../../../api/errors.ts';
import { useSession } from '../../../api/session.ts';
import { releaseText } from '../../../text/release.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { showDone, showFailure } from '../../../ui/toast.tsx';
import { futureTimestamp } from '../schedule-fields.tsx';
import { parseVersion, versionError } from '../version.ts';
import { AudienceStep } from './audience-step.tsx';
import { BuildsStep } from './builds-step.tsx';
import { createRelease } from './create-release.ts';
import { DetailsStep } from './details-step.tsx';
import classes from './new-release-form.module.css';
import { PublicationStep } from './publication-step.tsx';
import { ReleaseSummary } from './release-summary.tsx';
import { useNewRelease } from './use-new-release.ts';
const submitLabels = { now: 'Publish release', scheduled: 'Schedule release', draft: 'Save draft' };
/** The form for a new release: what is released, who gets it, and when. */
export function NewReleaseForm({ application, initialBuilds }) {
    const { id: applicationId } = application;
    const { values, isDirty, set } = useNewRelease(application.name, initialBuilds);
    const [error, setError] = useState();
    const [isRunning, setIsRunning] = useState(false);
    const [isChecked, setIsChecked] = useState(false);
    const isDone = useRef(false);
    const form = useRef(null);
    const finish = useFinish(applicationId);
    const { can } = useSession();
    useBlocker({
        shouldBlockFn: () => isDirty && !isDone.current && !window.confirm(releaseText.leave),
        enableBeforeUnload: () => isDirty && !isDone.current,
    });
    const problems = isChecked ? problemsOf(values) : {};
    const errors = fieldErrorsOf(error);
    useEffect(() => {
        if (isChecked || error !== undefined)
            form.current?.querySelector('[aria-invalid="true"]')?.focus();
    }, [isChecked, error]);
    async function submit() {
        setIsChecked(false);
        if (Object.keys(problemsOf(values)).length > 0) {
            setIsChecked(true);
            return;
        }
        setIsRunning(true);
        try {
            const created = await createRelease(applicationId, values);
            isDone.current = true;
            await finish(created);
        }
        catch (failure) {
            setError(failure);
        }
        finally {
            setIsRunning(false);
        }
    }
    const hasUnshownError = error !== undefined && Object.keys(errors).length === 0;
    return (_jsxs("form", { ref: form, noValidate: true, className: classes.columns, onSubmit: (event) => {
            event.preventDefault();
            void submit();
        }, children: [_jsxs("div", { className: classes.steps, children: [_jsx(BuildsStep, { applicationId: applicationId, values: values, set: set, error: errors['build_ids'] }), _jsx(DetailsStep, { applicationId: applicationId, values: values, set: set, errors: { ...errors, version: versionError(errors), ...problems } }), can('releases:write', applicationId) && (_jsx(AudienceStep, { applicationId: applicationId, values: values, set: set })), _jsx(PublicationStep, { values: values, set: set, error: problems['scheduledFor'] ?? errors['scheduled_for'] })] }), _jsxs("aside", { className: classes.aside, children: [_jsx(ReleaseSummary, { values: values }), hasUnshownError && _jsx(FailureBanner, { error: error }), _jsx(Button, { type: "submit", loading: isRunning, fullWidth: true, className: classes.submit, children: submitLabels[values.publication] })] })] }));
}
/** Returns what must be corrected before the release can be sent, by field. */
function problemsOf({ version, title, publication, scheduledFor }) {
    return {
        ...(parseVersion(version) === undefined ? { version: releaseText.version.invalid } : {}),
        ...(title.trim() === '' ? { title: 'Enter a title.' } : {}),
        ...(publication === 'scheduled' && futureTimestamp(scheduledFor) === undefined
            ? { scheduledFor: scheduledFor === '' ? releaseText.schedule.missing : releaseText.schedule.past }
            : {}),
    };
}
/** Returns a function that opens the new release and reports how far it got. */
function useFinish(applicationId) {
    const navigate = useNavigate();
    const queryClient = useQueryClient();
    return async ({ release, notifiedCount, failure }) => {
        await queryClient.invalidateQueries({ queryKey: ['applications', applicationId, 'releases'] });
        await navigate({
            to: '/applications/$applicationId/releases/$releaseId',
            params: { applicationId, releaseId: release.id },
            search: failure === undefined ? {} : { tab: 'audience' },
        });
        if (failure !== undefined) {
            showFailure(failure);
            showDone(releaseText.created.incomplete);
        }
        else if (release.status === 'published')
            showDone(releaseText.created.published(notifiedCount));
        else
            showDone(releaseText.created[release.status === 'scheduled' ? 'scheduled' : 'draft']);
    };
}
