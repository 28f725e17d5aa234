import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Modal, Stack, Text } from '@mantine/core';
import { serviceUrl } from '../../../api/client.ts';
import { CommandLine } from '../../../ui/command-line.tsx';
/** Shows the commands and requests that do the same as the page. */
export function CommandsDialog({ build, onClose }) {
    const options = `\\\n  --application ${build.application_id} --server ${serviceUrl}`;
    const url = `${serviceUrl}/api/v1/applications/${build.application_id}/builds/${build.id}`;
    const commands = [
        ['Download the files and verify their checksums', `quayside builds download ${build.id} ${options}`],
        ['Show the build as JSON', `quayside builds view ${build.id} --json ${options}`],
        [
            'Compare a local file with the build',
            `quayside verify ${quoted(build.primary_file.filename)} --build ${build.id} ${options}`,
        ],
        ['Get the build with the API', `curl -H "Authorization: Bearer $QUAYSIDE_API_KEY" \\\n  ${url}`],
        [
            'Download the primary file with the API',
            `curl -L -OJ -H "Authorization: Bearer $QUAYSIDE_API_KEY" \\\n  ${url}/file`,
        ],
    ];
    return (_jsx(Modal, { opened: true, onClose: onClose, title: "Commands and API", size: "lg", children: _jsx(Stack, { gap: "md", children: commands.map(([title, code]) => (_jsxs("div", { children: [_jsx(Text, { fz: "sm", fw: 500, mb: 4, children: title }), _jsx(CommandLine, { code: code, label: title.toLowerCase() })] }, title))) }) }));
}
/** Returns a file name that a shell reads as one word. */
const quoted = (text) => /^[\w.+@/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw `'\''`)}'`;
