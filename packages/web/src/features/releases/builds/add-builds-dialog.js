import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Checkbox, Group, Modal, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { releaseText } from '../../../text/release.ts';
import { formatBytes, plural } from '../../../ui/bytes.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { FilterMenu } from '../../../ui/filter-menu.tsx';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { joinValues } from '../../builds/build-list.search.ts';
import { buildPageQuery, platformsQuery, streamsQuery, versionText } from '../../builds/build.queries.ts';
import classes from './add-builds-dialog.module.css';
/** Selects builds for a release. Stays open with the error if adding them fails. */
export function AddBuildsDialog({ applicationId, existing, initialSearch, onAdd, onClose }) {
    const [text, setText] = useState(initialSearch);
    const [platforms, setPlatforms] = useState([]);
    const [streams, setStreams] = useState([]);
    const [chosen, setChosen] = useState(new Map());
    const [isRunning, setIsRunning] = useState(false);
    const [failure, setFailure] = useState();
    const search = {
        search: text === '' ? undefined : text,
        platforms: joinValues(platforms),
        streams: joinValues(streams),
    };
    const { data, error, isPlaceholderData } = useQuery({
        ...buildPageQuery(applicationId, search, 1),
        placeholderData: keepPreviousData,
    });
    const { data: allPlatforms = [] } = useQuery(platformsQuery(applicationId));
    const { data: allStreams = [] } = useQuery(streamsQuery(applicationId));
    const builds = data?.data.filter(({ id }) => !existing.includes(id));
    function toggle(build) {
        const next = new Map(chosen);
        if (!next.delete(build.id))
            next.set(build.id, build);
        setChosen(next);
    }
    async function add() {
        setIsRunning(true);
        try {
            await onAdd([...chosen.values()]);
            onClose();
        }
        catch (thrown) {
            setFailure(thrown);
        }
        finally {
            setIsRunning(false);
        }
    }
    return (_jsxs(Modal, { opened: true, onClose: onClose, title: "Add builds", size: "lg", children: [_jsxs(Group, { gap: 8, mb: "sm", children: [_jsx(SearchField, { label: "builds", placeholder: "Version, branch, commit, file\u2026", className: classes.search, maxLength: 100, isListSearch: false, value: text, onChange: setText }), _jsx(FilterMenu, { label: "Platform", options: allPlatforms.map(({ identifier, name }) => ({ value: identifier, label: name })), values: platforms, onChange: setPlatforms }), _jsx(FilterMenu, { label: "Stream", options: allStreams.map(({ name }) => ({ value: name, label: name })), values: streams, onChange: setStreams })] }), error !== null && _jsx(FailureBanner, { error: error }), _jsxs("div", { className: classes.list, "data-stale": isPlaceholderData || undefined, children: [builds === undefined
                        ? Array.from({ length: 6 }, (_, index) => _jsx(Skeleton, { height: 20, my: 12 }, index))
                        : builds.map((build) => (_jsxs("label", { className: classes.option, children: [_jsx(Checkbox, { size: "xs", checked: chosen.has(build.id), onChange: () => toggle(build), "aria-label": `${build.platform.name} ${versionText(build)}` }), _jsx(PlatformIcon, { platform: build.platform }), _jsx("span", { className: classes.version, children: versionText(build) }), _jsx("span", { className: classes.soft, children: build.stream.name }), _jsxs("span", { className: `${classes.end} tabular`, children: [formatBytes(build.size_total_bytes), " \u00B7 ", _jsx(RelativeTime, { time: build.created_at, short: true })] })] }, build.id))), builds?.length === 0 && (_jsx(Text, { c: "dimmed", p: "md", ta: "center", children: releaseText.builds.noMatch }))] }), failure !== undefined && _jsx(FailureBanner, { error: failure }), _jsxs(Group, { justify: "flex-end", gap: "xs", mt: "md", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { onClick: () => void add(), disabled: chosen.size === 0, loading: isRunning, children: chosen.size === 0 ? 'Add builds' : `Add ${plural(chosen.size, 'build')}` })] })] }));
}
