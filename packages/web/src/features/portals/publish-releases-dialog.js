import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Checkbox, Group, Modal, ScrollArea, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { portalText } from '../../text/portals.ts';
import { plural } from '../../ui/bytes.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { calendarDay } from '../../ui/time.ts';
import { publishedReleasesQuery } from './portal.queries.ts';
/** Publishes releases of an application individually in a portal. */
export function PublishReleasesDialog({ application, published, onPublish, onClose }) {
    const [text, setText] = useState('');
    const [search] = useDebouncedValue(text.trim(), 150);
    const query = useQuery({
        ...publishedReleasesQuery(application.id, search),
        placeholderData: keepPreviousData,
    });
    const [selected, setSelected] = useState([]);
    const [isRunning, setIsRunning] = useState(false);
    const [error, setError] = useState();
    const releases = query.data?.filter(({ id }) => !published.some((release) => release.id === id));
    async function publish() {
        setIsRunning(true);
        setError(undefined);
        try {
            for (const id of selected) {
                await onPublish(id);
                setSelected((ids) => ids.filter((each) => each !== id));
            }
            onClose();
        }
        catch (failure) {
            setError(failure);
            setIsRunning(false);
        }
    }
    const failure = error ?? query.error ?? undefined;
    return (_jsx(Modal, { opened: true, onClose: onClose, title: `Publish releases of ${application.name}`, children: _jsxs(Stack, { children: [_jsx(TextInput, { leftSection: _jsx(IconSearch, { size: 15 }), placeholder: "Version or title", "aria-label": "Search releases", value: text, onChange: (event) => setText(event.currentTarget.value), "data-autofocus": true }), releases === undefined && query.error === null && _jsx(Skeleton, { height: 140 }), releases?.length === 0 && (_jsx(Text, { fz: "sm", c: "dimmed", children: search === '' ? portalText.noPublishedReleases : 'No releases match.' })), _jsx(ScrollArea.Autosize, { mah: "50vh", children: _jsx(Checkbox.Group, { value: selected, onChange: setSelected, "aria-label": "Releases", children: _jsx(Stack, { gap: "xs", p: 2, children: releases?.map(({ id, version, title, published_at: at }) => (_jsx(Checkbox, { value: id, label: title === version ? version : `${version} · ${title}`, description: at === null ? undefined : `Published ${calendarDay(at)}` }, id))) }) }) }), failure !== undefined && _jsx(FailureBanner, { error: failure }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { loading: isRunning, disabled: selected.length === 0, onClick: () => void publish(), children: selected.length === 0 ? 'Publish' : `Publish ${plural(selected.length, 'release')}` })] })] }) }));
}
