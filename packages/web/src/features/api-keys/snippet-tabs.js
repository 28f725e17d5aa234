import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Tabs } from '@mantine/core';
import { CommandLine } from '../../ui/command-line.tsx';
/** Shows code for several tools, one at a time. */
export function SnippetTabs({ snippets }) {
    return (_jsxs(Tabs, { defaultValue: snippets[0]?.id ?? null, children: [_jsx(Tabs.List, { mb: "xs", children: snippets.map(({ id, label }) => (_jsx(Tabs.Tab, { value: id, children: label }, id))) }), snippets.map(({ id, label, code }) => (_jsx(Tabs.Panel, { value: id, children: _jsx(CommandLine, { code: code, label: `${label} snippet` }) }, id)))] }));
}
