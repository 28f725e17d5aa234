import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton, Tabs, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { setupText } from '../../text/setup.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { FirstFiles } from './first-files.tsx';
import classes from './first-upload.module.css';
import { OutsidePage } from './outside-page.tsx';
import { uploadSnippets } from './upload-snippets.ts';
/** Shows the API key once, and the ways to upload the first build. The build appears as soon as its upload begins. */
export function FirstUpload(application) {
    const { id, name, apiKey } = application;
    const snippets = uploadSnippets(application);
    return (_jsx(OutsidePage, { title: `Upload the first build of ${name}`, description: setupText.ready, isWide: true, footer: _jsx(Link, { to: "/account", search: { section: 'security' }, children: setupText.addPasskey }), children: _jsxs("div", { className: classes.steps, children: [_jsx(Suspense, { fallback: _jsx(Skeleton, { height: 180, "aria-busy": true }), children: _jsx(FirstFiles, { applicationId: id, applicationName: name }) }), _jsxs("section", { children: [_jsx(Title, { order: 2, children: "Or upload from a terminal or CI" }), _jsxs(Tabs, { defaultValue: "quayside", mt: "xs", children: [_jsx(Tabs.List, { className: classes.tabs, children: snippets.map(({ id: value, label }) => (_jsx(Tabs.Tab, { value: value, children: label }, value))) }), snippets.map(({ id: value, label, code, needsSecret }) => (_jsxs(Tabs.Panel, { value: value, pt: "sm", children: [needsSecret && _jsx("div", { className: classes.hint, children: setupText.secret }), _jsx(CommandLine, { code: code, label: `${label} snippet` })] }, value)))] })] }), _jsxs("section", { children: [_jsx(Title, { order: 2, children: "API key" }), _jsx(Text, { className: classes.hint, children: setupText.key(name) }), _jsx(CommandLine, { code: apiKey, label: "API key" })] }), _jsx(ButtonLink, { to: "/applications/$applicationId", params: { applicationId: id }, variant: "default", fullWidth: true, children: "Continue to the console" })] }) }));
}
