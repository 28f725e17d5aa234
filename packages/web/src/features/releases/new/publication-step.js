import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Radio, Text } from '@mantine/core';
import { releaseText } from '../../../text/release.ts';
import { Section } from '../../../ui/section.tsx';
import { ScheduleFields } from '../schedule-fields.tsx';
import classes from './new-release-form.module.css';
const choices = ['now', 'scheduled', 'draft'];
/** Chooses when a new release is published. */
export function PublicationStep({ values: { publication, scheduledFor }, set, error }) {
    return (_jsxs(Section, { title: "4. Publication", children: [_jsx(Radio.Group, { "aria-label": "Publication", value: publication, onChange: (value) => set({ publication: choices.find((each) => each === value) ?? 'now' }), children: _jsx("div", { className: classes.choices, children: choices.map((choice) => (_jsxs(Radio.Card, { value: choice, className: classes.choice, children: [_jsxs("span", { className: classes.choiceHead, children: [_jsx(Radio.Indicator, { size: "xs" }), releaseText.publication[choice].title] }), _jsx(Text, { fz: "xs", c: "dimmed", mt: 4, component: "span", display: "block", children: releaseText.publication[choice].help })] }, choice))) }) }), publication === 'scheduled' && (_jsx("div", { className: classes.schedule, children: _jsx(ScheduleFields, { value: scheduledFor, onChange: (next) => set({ scheduledFor: next }), error: error }) }))] }));
}
