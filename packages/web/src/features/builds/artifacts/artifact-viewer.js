import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { buildText } from '../../../text/build.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { TabSkeleton } from '../details/tab-skeleton.tsx';
import { artifactContentQuery, maxShownBytes } from './artifact.queries.ts';
import classes from './artifacts.module.css';
import { parseJunit } from './junit.ts';
import { SbomTable } from './sbom-table.tsx';
import { parseSbom } from './sbom.ts';
import { TestReport } from './test-report.tsx';
/** Shows the content of an artifact in the form that its format calls for. */
export function ArtifactViewer({ artifact, build }) {
    const owner = { applicationId: build.application_id, buildId: build.id };
    const { data: content, error, refetch } = useQuery(artifactContentQuery(owner, artifact));
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    if (content === undefined)
        return _jsx(TabSkeleton, {});
    if (content.isBinary)
        return (_jsx(Text, { fz: "sm", c: "dimmed", children: buildText.artifacts.notText }));
    return (_jsxs(_Fragment, { children: [_jsx(Content, { content: content, filename: artifact.filename }), content.isCut && (_jsx(Text, { mt: "xs", fz: "xs", c: "dimmed", children: buildText.artifacts.tooLong(formatBytes(maxShownBytes)) }))] }));
}
function Content({ content: { text, isCut }, filename }) {
    const suites = isCut ? undefined : parseJunit(text);
    if (suites !== undefined)
        return _jsx(TestReport, { suites: suites });
    const sbom = isCut ? undefined : parseSbom(text);
    if (sbom !== undefined)
        return _jsx(SbomTable, { sbom: sbom });
    return (_jsx("pre", { className: classes.text, tabIndex: 0, "aria-label": `Content of ${filename}`, children: filename.endsWith('.json') && !isCut ? formatJson(text) : text }));
}
function formatJson(text) {
    try {
        return JSON.stringify(JSON.parse(text), null, 2);
    }
    catch {
        return text;
    }
}
