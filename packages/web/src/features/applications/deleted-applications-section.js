import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { allItems } from '@quayside/sdk';
import { IconTrash } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { settingsText } from '../../text/settings.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone, showFailure } from '../../ui/toast.tsx';
const deletedApplicationsQuery = queryOptions({
    queryKey: ['workspace', 'deleted-applications'],
    queryFn: ({ signal }) => allItems((page) => api.listApplications({ trashed: true, page, per_page: 100 }, { signal })),
});
/** The applications in the trash, which can be restored. */
export function DeletedApplicationsSection() {
    const query = useQuery(deletedApplicationsQuery);
    return (_jsx(SettingsSection, { title: "Deleted applications", description: settingsText.trash, children: _jsx(Loaded, { query: query, children: (applications) => applications.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconTrash, { size: 22 }), title: "No deleted applications", children: settingsText.emptyTrash })) : (_jsx(ItemList, { label: "Deleted applications", children: applications.map((application) => (_jsx(DeletedItem, { application: application }, application.id))) })) }) }));
}
function DeletedItem({ application }) {
    const { id, name, icon_url: url, storage_usage: storage, deleted_at: deletedAt } = application;
    const { deleted_by: deleter, purge_at: purgeAt } = application;
    const [isRunning, setIsRunning] = useState(false);
    const queryClient = useQueryClient();
    async function restore() {
        setIsRunning(true);
        try {
            await api.restoreApplication({ application_id: id });
            showDone(`${name} restored.`);
            await Promise.all([
                queryClient.invalidateQueries({ queryKey: ['applications', 'list'] }),
                queryClient.invalidateQueries({ queryKey: ['workspace'] }),
            ]);
        }
        catch (error) {
            showFailure(error);
        }
        finally {
            setIsRunning(false);
        }
    }
    return (_jsx(Item, { leading: _jsx(ApplicationIcon, { name: name, url: url, size: 32 }), title: name, detail: _jsxs(_Fragment, { children: [_jsx("span", { children: storage.total_string }), deletedAt !== undefined && (_jsxs("span", { children: ["deleted ", _jsx(RelativeTime, { time: deletedAt }), deleter?.name !== undefined && ` by ${deleter.name}`] })), purgeAt !== undefined && (_jsxs("span", { children: ["permanently deleted ", _jsx(RelativeTime, { time: purgeAt })] }))] }), end: _jsx(Button, { variant: "default", size: "xs", loading: isRunning, onClick: () => void restore(), children: "Restore" }) }));
}
