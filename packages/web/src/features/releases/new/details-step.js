import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { TextInput } from '@mantine/core';
import { releaseText } from '../../../text/release.ts';
import { MarkdownEditor } from '../../../ui/markdown-editor.tsx';
import { Section } from '../../../ui/section.tsx';
import { maxNotesLength } from '../details/release-notes.tsx';
import { LabelInput } from '../label-input.tsx';
import classes from './new-release-form.module.css';
/** The version, title, labels and notes of a new release. */
export function DetailsStep({ applicationId, values, set, errors }) {
    return (_jsx(Section, { title: "2. Details", children: _jsxs("div", { className: classes.fields, children: [_jsx(TextInput, { label: "Version", placeholder: "2.14.0", value: values.version, onChange: (event) => set({ version: event.currentTarget.value }), error: errors['version'], required: true }), _jsx(TextInput, { label: "Title", placeholder: "What people read first", value: values.title, maxLength: 200, onChange: (event) => set({ title: event.currentTarget.value }), error: errors['title'], required: true }), _jsx("div", { className: classes.wide, children: _jsx(LabelInput, { applicationId: applicationId, value: values.labels, onChange: (labels) => set({ labels }), error: errors['labels'] }) }), _jsxs("div", { className: classes.wide, children: [_jsx("div", { className: classes.label, children: "Notes" }), _jsx(MarkdownEditor, { label: "Notes", value: values.notes, onChange: (notes) => set({ notes }), maxLength: maxNotesLength, placeholder: releaseText.notes.placeholder, help: releaseText.notes.help, error: errors['notes'] })] })] }) }));
}
