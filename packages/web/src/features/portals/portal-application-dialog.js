import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { MultiSelect, Radio, Select, Stack, Text } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { portalText } from '../../text/portals.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { streamsQuery } from '../builds/build.queries.ts';
import { portalChanged } from './portal.queries.ts';
const modes = ['all', 'selective', 'none'];
/** Adds an application to a portal, or changes what the portal shows of it. */
export function PortalApplicationDialog({ portal, application, candidates = [], onClose }) {
    const queryClient = useQueryClient();
    const form = useForm({
        initialValues: {
            application: application?.id ?? (candidates.length === 1 ? (candidates[0]?.id ?? null) : null),
            releases_mode: application?.releases_mode ?? 'all',
            streams_mode: application?.streams_mode ?? 'none',
            stream_ids: application?.stream_ids ?? [],
        },
        validate: { application: isNotEmpty('Choose an application.') },
    });
    const { application: applicationId, releases_mode: releasesMode, streams_mode: streamsMode } = form.values;
    const { data: streams = [] } = useQuery({
        ...streamsQuery(applicationId ?? ''),
        enabled: applicationId !== null && streamsMode === 'selective',
    });
    async function save({ application: id, stream_ids: ids, ...shownModes }) {
        const { data } = await api.replacePortalApplication({
            portal_id: portal.id,
            application_id: id ?? '',
            body: { ...shownModes, stream_ids: shownModes.streams_mode === 'selective' ? ids : [] },
        });
        await portalChanged(queryClient, data);
        onClose();
    }
    const withdraws = application?.releases_mode === 'selective' && releasesMode !== 'selective';
    return (_jsxs(FormDialog, { title: application === undefined ? 'Add an application' : `What the portal shows of ${application.name}`, submitLabel: application === undefined ? 'Add application' : 'Save', form: form, onSubmit: save, onClose: onClose, children: [application === undefined && (_jsx(Select, { label: "Application", data: candidates.map(({ id, name }) => ({ value: id, label: name })), searchable: true, openOnFocus: false, "data-autofocus": true, ...form.getInputProps('application') })), _jsx(Radio.Group, { label: "Releases", ...form.getInputProps('releases_mode'), children: _jsx(Stack, { gap: 8, mt: 6, children: modes.map((mode) => (_jsx(Radio, { value: mode, label: portalText.modes[mode].releases }, mode))) }) }), withdraws && (_jsx(Text, { fz: "sm", c: "var(--q-warn)", children: portalText.withdrawal })), _jsx(Radio.Group, { label: "Builds of streams", ...form.getInputProps('streams_mode'), children: _jsx(Stack, { gap: 8, mt: 6, children: modes.map((mode) => (_jsx(Radio, { value: mode, label: portalText.modes[mode].streams }, mode))) }) }), streamsMode === 'selective' && (_jsx(MultiSelect, { label: "Streams", data: streams.map(({ id, name }) => ({ value: id, label: name })), searchable: true, disabled: applicationId === null, ...form.getInputProps('stream_ids') }))] }));
}
