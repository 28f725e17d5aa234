import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FilterMenu } from '../../ui/filter-menu.tsx';
import { LabelDot } from '../../ui/label-dot.tsx';
import { applicationQuery } from '../applications/application.queries.ts';
import { labelsQuery, streamsQuery } from '../builds/build.queries.ts';
import classes from './upload-field-inputs.module.css';
import { uploadQueue } from './upload-queue.ts';
import { rememberStream } from './upload-target.ts';
/** The attributes of the build. They can be changed until the last byte has arrived. */
export function UploadFieldInputs({ upload }) {
    const { id, applicationId, filename, fields, fieldErrors } = upload;
    const { data: application } = useQuery(applicationQuery(applicationId));
    const { data: streams } = useQuery(streamsQuery(applicationId));
    const { data: labels } = useQuery(labelsQuery(applicationId));
    const set = (change) => uploadQueue.setFields(id, change);
    // The build is not created while the person is typing, even if every byte has arrived.
    const editing = {
        onFocus: () => uploadQueue.setEditing(id, true),
        onBlur: () => uploadQueue.setEditing(id, false),
    };
    const platforms = application?.platforms.map(({ identifier: value, name: label }) => ({ value, label }));
    const streamNames = streams?.map(({ name }) => name) ?? [fields.stream];
    return (_jsxs("div", { className: classes.fields, role: "group", "aria-label": `Attributes of ${filename}`, children: [_jsx(Select, { size: "xs", label: "Platform", placeholder: "Choose", data: platforms ?? [], value: fields.platform, error: fieldErrors.platform, allowDeselect: false, searchable: true, onChange: (platform) => set({ platform }), ...editing }), _jsx(TextInput, { size: "xs", label: "Version", placeholder: "Such as 1.2.3", value: fields.version, error: fieldErrors.version, onChange: (event) => set({ version: event.currentTarget.value }), ...editing }), _jsx(TextInput, { size: "xs", label: "Build number", placeholder: "Optional", value: fields.buildNumber, maxLength: 100, error: fieldErrors.buildNumber, onChange: (event) => set({ buildNumber: event.currentTarget.value }), ...editing }), _jsx(Select, { size: "xs", label: "Stream", data: streamNames, value: fields.stream, error: fieldErrors.stream, allowDeselect: false, onChange: (stream) => {
                    if (stream === null)
                        return;
                    rememberStream(applicationId, stream);
                    set({ stream });
                }, ...editing }), _jsxs("div", { className: classes.labels, children: [_jsx(FilterMenu, { label: "Labels", options: (labels ?? []).map(({ name, color }) => ({
                            value: name,
                            label: name,
                            icon: _jsx(LabelDot, { name: "", color: color }),
                        })), values: fields.labels, onChange: (names) => set({ labels: names }), allowsOther: true }), fieldErrors.labels !== undefined && (_jsx(Text, { fz: "xs", c: "red", children: fieldErrors.labels }))] })] }));
}
