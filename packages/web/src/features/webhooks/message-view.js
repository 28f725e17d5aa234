import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { CopyButton, SegmentedControl, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { JsonView, prettyJson } from '../../ui/json-view.tsx';
import classes from './message-view.module.css';
/** Shows the headers and the body of a request or a response. JSON can be shown indented or as it was sent. */
export function MessageView({ label, startLine, headers, body, missing }) {
    const [view, setView] = useState('pretty');
    const pretty = prettyJson(body);
    const names = Object.keys(headers).toSorted();
    return (_jsxs("div", { className: classes.message, children: [missing !== undefined && _jsx(Text, { fz: "sm", children: missing }), startLine !== undefined && _jsx("code", { className: classes.start, children: startLine }), names.length > 0 && (_jsx("table", { className: classes.headers, "aria-label": `Headers of the ${label}`, children: _jsx("tbody", { children: names.map((name) => (_jsxs("tr", { children: [_jsx("th", { scope: "row", children: name }), _jsx("td", { children: headers[name] })] }, name))) }) })), body !== '' && (_jsxs(_Fragment, { children: [_jsxs("div", { className: classes.bodyBar, children: [_jsx("span", { className: classes.bodyTitle, children: "Body" }), pretty !== undefined && (_jsx(SegmentedControl, { size: "xs", "aria-label": "View of the body", value: view, onChange: setView, data: [
                                    { value: 'pretty', label: 'Pretty' },
                                    { value: 'raw', label: 'Raw' },
                                ] })), _jsx(CopyButton, { value: body, timeout: 1500, children: ({ copied, copy }) => (_jsx(UnstyledButton, { fz: "xs", c: "dimmed", onClick: copy, children: copied ? 'Copied' : 'Copy' })) })] }), _jsx(JsonView, { text: view === 'pretty' ? (pretty ?? body) : body, label: `body of the ${label}` })] })), body === '' && missing === undefined && (_jsx(Text, { fz: "sm", c: "dimmed", children: "The body is empty." }))] }));
}
