import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { releaseText } from '../../../text/release.ts';
import { plural } from '../../../ui/bytes.ts';
import { Section } from '../../../ui/section.tsx';
import { showDone, showFailure, showUndo } from '../../../ui/toast.tsx';
import { versionText } from '../../builds/build.queries.ts';
import { AddBuildsDialog } from '../builds/add-builds-dialog.tsx';
import { ReleaseBuildList } from '../builds/release-build-list.tsx';
import { releaseQuery } from '../release.queries.ts';
import { releasePath, useReleaseChange } from '../use-release-change.ts';
import { findOtherVersions } from '../version.ts';
/** The builds of a release. They can be added, removed and downloaded. */
export function ReleaseBuilds({ release }) {
    const [isAdding, setIsAdding] = useState(false);
    const { can } = useSession();
    const queryClient = useQueryClient();
    const change = useReleaseChange(release);
    const { builds, version, application_id: applicationId } = release;
    const canWrite = can('releases:write', applicationId);
    const { others, arePreReleases } = findOtherVersions(builds, version);
    const path = releasePath(release);
    async function remove(build) {
        const { queryKey } = releaseQuery(applicationId, release.id);
        queryClient.setQueryData(queryKey, {
            ...release,
            builds: builds.filter(({ id }) => id !== build.id),
        });
        const buildPath = { ...path, build_id: build.id };
        try {
            await change(() => api.removeReleaseBuild(buildPath));
            showUndo(`${build.platform.name} ${versionText(build)} removed.`, () => {
                change(() => api.addReleaseBuild(buildPath)).catch(showFailure);
            });
        }
        catch (error) {
            showFailure(error);
            await queryClient.invalidateQueries({ queryKey });
        }
    }
    return (_jsxs(Section, { title: builds.length === 0 ? 'Builds' : `Builds · ${builds.length}`, actions: canWrite && (_jsx(Button, { size: "compact-sm", variant: "subtle", color: "gray", leftSection: _jsx(IconPlus, { size: 14 }), onClick: () => setIsAdding(true), children: "Add builds" })), children: [others.length > 0 && (_jsx(Alert, { color: "yellow", variant: "light", icon: _jsx(IconAlertTriangle, { size: 17 }), mb: "sm", p: "xs", children: releaseText.version[arePreReleases ? 'preReleases' : 'differs'](others.length, version) })), builds.length === 0 ? (_jsx(Text, { fz: "sm", c: "dimmed", children: releaseText.builds.none })) : (_jsx(ReleaseBuildList, { applicationId: applicationId, builds: builds, version: version, withFiles: true, onRemove: canWrite ? (build) => void remove(build) : undefined })), isAdding && (_jsx(AddBuildsDialog, { applicationId: applicationId, existing: builds.map(({ id }) => id), initialSearch: "", onClose: () => setIsAdding(false), onAdd: async (added) => {
                    const ids = [...builds, ...added].map(({ id }) => id);
                    await change(() => api.replaceReleaseBuilds({ ...path, body: { build_ids: ids } }));
                    showDone(`${plural(added.length, 'build')} added.`);
                } }))] }));
}
