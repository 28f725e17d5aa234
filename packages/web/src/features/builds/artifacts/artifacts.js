import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, FileButton, Progress } from '@mantine/core';
import { IconFileDescription, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceUrl } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { buildText } from '../../../text/build.ts';
import { CommandLine } from '../../../ui/command-line.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { showDone, showFailure } from '../../../ui/toast.tsx';
import { buildQuery } from '../build.queries.ts';
import { ArtifactItem } from './artifact-item.tsx';
import classes from './artifacts.module.css';
import { uploadArtifact } from './upload-artifact.ts';
/** The reports and other files that are kept with a build. */
export function Artifacts({ build }) {
    const { can } = useSession();
    const canUpload = can('builds:create', build.application_id);
    const artifacts = build.metadata_artifacts;
    if (artifacts.length === 0)
        return (_jsx(EmptyState, { icon: _jsx(IconFileDescription, { size: 22 }), title: buildText.artifacts.emptyTitle, action: canUpload ? (_jsxs(_Fragment, { children: [_jsx(AddArtifact, { build: build }), _jsx(CommandLine, { code: uploadCommand(build), label: "upload command" })] })) : undefined, children: buildText.artifacts.empty }));
    return (_jsx(Section, { title: "Artifacts", actions: canUpload && _jsx(AddArtifact, { build: build }), children: _jsx("ul", { className: classes.list, children: artifacts.map((artifact) => (_jsx(ArtifactItem, { artifact: artifact, build: build }, artifact.id))) }) }));
}
function AddArtifact({ build }) {
    const [share, setShare] = useState();
    const queryClient = useQueryClient();
    async function add(files) {
        setShare(0);
        try {
            for (const file of files) {
                await uploadArtifact(build.id, file, setShare);
                showDone(buildText.artifacts.uploaded(file.name));
            }
        }
        catch (error) {
            showFailure(error);
        }
        finally {
            setShare(undefined);
            await queryClient.invalidateQueries({ queryKey: buildQuery(build.application_id, build.id).queryKey });
        }
    }
    if (share !== undefined)
        return _jsx(Progress, { value: share * 100, w: 140, "aria-label": "Progress of the upload" });
    return (_jsx(FileButton, { multiple: true, onChange: (files) => void add(files), children: (props) => (_jsx(Button, { ...props, size: "xs", variant: "default", leftSection: _jsx(IconPlus, { size: 15 }), children: "Add artifact" })) }));
}
const uploadCommand = (build) => `quayside upload ./${build.primary_file.filename} --metadata ./test-report.xml \\\n  --application ${build.application_id} --server ${serviceUrl}`;
