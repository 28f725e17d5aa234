import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { applicationText } from '../../text/applications.ts';
import { plural } from '../../ui/bytes.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showFailure, showUndo } from '../../ui/toast.tsx';
import { applicationQuery } from './application.queries.ts';
/** Moves an application to the trash. */
export function DeleteApplicationSection({ applicationId }) {
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const [isOpen, { open, close }] = useDisclosure();
    const queryClient = useQueryClient();
    const navigate = useNavigate();
    const { name, build_count: builds, storage_usage: storage } = application;
    const path = { application_id: applicationId };
    const refresh = () => Promise.all([
        queryClient.invalidateQueries({ queryKey: ['applications', 'list'] }),
        queryClient.invalidateQueries({ queryKey: ['workspace'] }),
    ]);
    async function moveToTrash() {
        await api.deleteApplication(path);
        // The page of the application would load it again and fail.
        await navigate({ to: '/' });
        queryClient.removeQueries({ queryKey: ['applications', applicationId] });
        showUndo(`${name} moved to the trash.`, () => {
            void api.restoreApplication(path).catch(showFailure).finally(refresh);
        });
        await refresh();
    }
    return (_jsxs(SettingsSection, { title: "Delete application", description: applicationText.delete, children: [_jsxs(Button, { color: "red", variant: "light", onClick: open, children: ["Delete ", name] }), isOpen && (_jsx(ConfirmDialog, { title: `Delete ${name}?`, confirmLabel: "Delete application", isDangerous: true, typeToConfirm: name, onConfirm: moveToTrash, onClose: close, children: _jsxs(Text, { children: [plural(builds, 'build'), " (", storage.total_string, ") move to the trash. ", applicationText.delete] }) }))] }));
}
