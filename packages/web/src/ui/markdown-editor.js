import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { SegmentedControl, Skeleton, Text, Textarea } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import classes from './markdown-editor.module.css';
const MarkdownText = lazy(async () => ({ default: (await import('./markdown.tsx')).MarkdownText }));
/** Edits Markdown with a preview of how readers see it. */
export function MarkdownEditor({ label, value, onChange, maxLength, ...options }) {
    const { placeholder, help, error, hasFocus = false } = options;
    const [mode, setMode] = useState('write');
    return (_jsxs("div", { className: classes.editor, children: [_jsx(SegmentedControl, { size: "xs", className: classes.modes, "aria-label": `Mode of the editor: ${label}`, data: [
                    { value: 'write', label: 'Write' },
                    { value: 'preview', label: 'Preview' },
                ], value: mode, onChange: setMode }), mode === 'write' ? (_jsx(Textarea, { "aria-label": label, autosize: true, minRows: 7, maxRows: 24, maxLength: maxLength, value: value, placeholder: placeholder, onChange: (event) => onChange(event.currentTarget.value), error: error, autoFocus: hasFocus })) : (_jsx("div", { className: classes.preview, children: value.trim() === '' ? (_jsx(Text, { c: "dimmed", children: "Nothing to preview" })) : (_jsx(RenderedMarkdown, { text: value })) })), _jsxs(Text, { fz: "xs", c: "dimmed", className: "tabular", children: [help, " ", value.length > maxLength * 0.8 && `${value.length} of ${maxLength} characters`] })] }));
}
/** Loads the Markdown renderer when it is first needed. */
export function RenderedMarkdown({ text }) {
    return (_jsx(Suspense, { fallback: _jsx(Skeleton, { height: 16, width: "60%" }), children: _jsx(MarkdownText, { text: text }) }));
}
