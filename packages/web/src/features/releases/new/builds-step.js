import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Alert, Button, Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { releaseText } from '../../../text/release.ts';
import { plural } from '../../../ui/bytes.ts';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Section } from '../../../ui/section.tsx';
import { buildPageQuery } from '../../builds/build.queries.ts';
import { AddBuildsDialog } from '../builds/add-builds-dialog.tsx';
import { ReleaseBuildList } from '../builds/release-build-list.tsx';
import { findOtherVersions } from '../version.ts';
import classes from './new-release-form.module.css';
/** Chooses the builds of a new release: those of one of the newest versions, or any others. */
export function BuildsStep({ applicationId, values, set, error }) {
    const [isAdding, setIsAdding] = useState(false);
    const { builds, version } = values;
    const { others, arePreReleases } = findOtherVersions(builds, version);
    const addButton = (_jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconPlus, { size: 15 }), onClick: () => setIsAdding(true), children: "Add builds" }));
    return (_jsxs(Section, { title: "1. Builds", actions: addButton, children: [others.length > 0 && (_jsx(Alert, { color: "yellow", variant: "light", icon: _jsx(IconAlertTriangle, { size: 17 }), mb: "sm", p: "xs", children: _jsxs(Group, { justify: "space-between", gap: "xs", children: [releaseText.version[arePreReleases ? 'preReleases' : 'differs'](others.length, version), _jsxs(Button, { size: "compact-xs", variant: "default", onClick: () => set({ builds: builds.filter((build) => !others.includes(build)) }), children: ["Remove ", others.length === 1 ? 'it' : 'them'] })] }) })), builds.length === 0 ? (_jsxs(_Fragment, { children: [_jsx(Text, { fz: "sm", c: "dimmed", children: releaseText.builds.choose }), _jsx(Suggestions, { applicationId: applicationId, onChoose: (chosen) => set({ builds: chosen }) })] })) : (_jsx(ReleaseBuildList, { applicationId: applicationId, builds: builds, version: version, onRemove: ({ id }) => set({ builds: builds.filter((build) => build.id !== id) }) })), error !== undefined && (_jsx(Text, { fz: "xs", c: "red", role: "alert", children: error })), isAdding && (_jsx(AddBuildsDialog, { applicationId: applicationId, existing: builds.map(({ id }) => id), initialSearch: "", onClose: () => setIsAdding(false), onAdd: (added) => set({ builds: [...builds, ...added] }) }))] }));
}
const maxSuggestions = 6;
/** The newest versions, each with the newest build of every platform, which one click chooses. */
function Suggestions({ applicationId, onChoose }) {
    const { data } = useQuery(buildPageQuery(applicationId, {}, 1));
    if (data === undefined)
        return _jsx(Skeleton, { height: 84, radius: "lg", mt: "sm" });
    // A version with builds for more platforms is more likely to be released.
    const versions = [...Map.groupBy(data.data, keyOf).values()]
        .map(newestOfEach)
        .toSorted((one, other) => other.length - one.length)
        .slice(0, maxSuggestions);
    return (_jsx("div", { className: classes.suggestions, children: versions.map((builds) => {
            const [first] = builds;
            if (first === undefined)
                return null;
            return (_jsxs(UnstyledButton, { className: classes.suggestion, onClick: () => onChoose(builds), children: [_jsxs("span", { className: classes.suggestionHead, children: [_jsx("span", { className: "tabular", children: first.version }), _jsx("span", { className: classes.icons, children: builds.map(({ id, platform }) => (_jsx(PlatformIcon, { platform: platform, size: 16 }, id))) })] }), _jsxs("span", { className: classes.soft, children: [plural(builds.length, 'build'), " \u00B7 ", first.stream.name, " \u00B7", ' ', _jsx(RelativeTime, { time: first.created_at })] })] }, keyOf(first)));
        }) }));
}
const keyOf = ({ version, stream }) => `${version} ${stream.id}`;
/** Returns the newest build of each platform, custom target and set of architectures. The builds are newest first. */
function newestOfEach(builds) {
    const variant = ({ platform, custom_target: target, architectures }) => [platform.identifier, target?.id, ...architectures.map(({ identifier }) => identifier)].join(' ');
    return [...Map.groupBy(builds, variant).values()].flatMap(([newest]) => newest ?? []);
}
