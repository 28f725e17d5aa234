import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { plural } from '../../../ui/bytes.ts';
import classes from './artifacts.module.css';
const maxRows = 500;
/** Lists the components of a bill of materials, with a search. */
export function SbomTable({ sbom }) {
    const [search, setSearch] = useState('');
    const needle = search.trim().toLowerCase();
    const found = sbom.components.filter(({ name, version, licenses, url }) => `${name} ${version} ${licenses} ${url}`.toLowerCase().includes(needle));
    return (_jsxs(_Fragment, { children: [_jsxs("div", { className: classes.summary, children: [_jsx("strong", { children: sbom.title }), _jsx("span", { children: plural(sbom.components.length, 'component') }), _jsx(TextInput, { size: "xs", ml: "auto", placeholder: "Name, version or license", "aria-label": "Search the components", leftSection: _jsx(IconSearch, { size: 14 }), value: search, onChange: (event) => setSearch(event.currentTarget.value) })] }), _jsx("div", { className: classes.scroll, tabIndex: 0, role: "region", "aria-label": "Components", children: _jsxs("table", { className: classes.table, children: [_jsx("thead", { children: _jsxs("tr", { children: [_jsx("th", { children: "Component" }), _jsx("th", { children: "Version" }), _jsx("th", { children: "License" })] }) }), _jsx("tbody", { children: found.slice(0, maxRows).map(({ name, version, licenses, url }, index) => (_jsxs("tr", { children: [_jsx("td", { title: url, children: name }), _jsx("td", { children: version || '–' }), _jsx("td", { children: licenses || '–' })] }, `${index} ${url}`))) })] }) }), found.length > maxRows && (_jsxs("p", { className: classes.meta, children: ["Showing the first ", maxRows, ". Search to find the others."] })), found.length === 0 && _jsx("p", { className: classes.meta, children: "No component matches." })] }));
}
