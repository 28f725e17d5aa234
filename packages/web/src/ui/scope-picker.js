import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Input, NativeSelect, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { scopePresets, scopeText } from '../text/scopes.ts';
import classes from './scope-picker.module.css';
/** Selects scopes by a preset or, on request, one by one, and shows what each of them allows. */
export function ScopePicker({ kind, value, onChange, error }) {
    const isPreset = scopePresets.some(({ scopes }) => isSameSet(scopes[kind], value));
    const [isDetailed, setIsDetailed] = useState(!isPreset);
    const resources = scopeText[kind].filter(({ id }) => isDetailed || levelOf(value, id) !== '');
    const set = (resource, level) => onChange([
        ...value.filter((scope) => !scope.startsWith(`${resource}:`)),
        ...(level === '' ? [] : [`${resource}:${level}`]),
    ]);
    return (_jsxs(Input.Wrapper, { label: "Scopes", labelElement: "div", error: error, children: [_jsx("div", { className: classes.presets, role: "group", "aria-label": "Presets", children: scopePresets.map(({ id, label, description, scopes }) => (_jsxs(UnstyledButton, { className: classes.preset, "aria-pressed": isSameSet(scopes[kind], value), onClick: () => onChange([...scopes[kind]]), children: [_jsx("span", { className: classes.presetLabel, children: label }), _jsx("span", { className: classes.presetText, children: description })] }, id))) }), _jsx("ul", { className: classes.resources, children: resources.map((resource) => (_jsx(ResourceLevel, { resource: resource, level: levelOf(value, resource.id), onChange: isDetailed ? (level) => set(resource.id, level) : undefined }, resource.id))) }), !isDetailed && (_jsx(Button, { variant: "subtle", size: "xs", mt: 4, onClick: () => setIsDetailed(true), children: "Choose each scope" }))] }));
}
function ResourceLevel({ resource: { id, label, levels }, level, onChange }) {
    return (_jsxs("li", { className: classes.resource, "data-on": level !== '' || undefined, children: [_jsxs("div", { className: classes.text, children: [_jsx("div", { className: classes.name, children: label }), _jsx("div", { className: classes.allows, children: level === '' ? 'No access.' : levels[level] })] }), onChange === undefined ? (_jsx("code", { className: classes.scope, children: `${id}:${level}` })) : (_jsx(NativeSelect, { size: "xs", className: classes.level, "aria-label": `${label}: level`, value: level, onChange: (event) => onChange(event.currentTarget.value), data: [
                    { value: '', label: 'None' },
                    ...Object.keys(levels).map((each) => ({ value: each, label: `${id}:${each}` })),
                ] }))] }));
}
function levelOf(scopes, resource) {
    const scope = scopes.find((each) => each.startsWith(`${resource}:`));
    return scope === undefined ? '' : scope.slice(resource.length + 1);
}
const isSameSet = (a, b) => a.length === b.length && a.every((each) => b.includes(each));
