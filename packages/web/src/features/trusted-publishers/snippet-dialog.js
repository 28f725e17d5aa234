import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, Stack } from '@mantine/core';
import { publisherText } from '../../text/trusted-publishers.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { Note } from '../../ui/note.tsx';
import { publisherSnippet } from './publisher-snippet.ts';
/** Shows the CI configuration that uses a trusted publisher. */
export function SnippetDialog({ publisher, onClose }) {
    const { label, code } = publisherSnippet(publisher);
    return (_jsx(Modal, { opened: true, onClose: onClose, title: `${label}: ${publisher.name}`, size: "lg", children: _jsxs(Stack, { children: [_jsx("div", { children: publisherText.snippet }), _jsx(CommandLine, { code: code, label: `${label} snippet` }), publisher.warnings.map((warning) => (_jsx(Note, { tone: "warn", children: warning }, warning))), _jsx(Group, { justify: "flex-end", children: _jsx(Button, { onClick: onClose, children: "Done" }) })] }) }));
}
