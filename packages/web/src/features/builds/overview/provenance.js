import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Copyable } from '../../../ui/copyable.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Section } from '../../../ui/section.tsx';
import { SourceRun } from '../build-cells.tsx';
/** Where a build comes from: the source code and the CI run. */
export function Provenance({ build }) {
    const { scm, ci_pipeline: pipeline, links } = build;
    const repository = scm.scm_repo_name;
    const sha = scm.scm_commit_sha;
    return (_jsx(Section, { title: "Source", children: _jsxs(FactList, { children: [_jsx(Fact, { name: "Repository", children: repository !== null && linked(links.scm_repo_url, repository) }), _jsx(Fact, { name: "Branch", children: scm.scm_branch !== null && _jsx(Copyable, { value: scm.scm_branch, label: "branch" }) }), _jsx(Fact, { name: "Commit", children: sha !== null && (_jsxs(_Fragment, { children: [_jsx(Copyable, { value: sha, label: "commit", mono: true, children: sha.slice(0, 12) }), ' ', links.scm_commit_url !== null && linked(links.scm_commit_url, 'View')] })) }), _jsx(Fact, { name: "Uploaded from", children: _jsx(SourceRun, { build: build }) }), _jsx(Fact, { name: "Pipeline", children: pipeline.ci_pipeline_name !== null && linked(links.ci_pipeline_url, pipeline.ci_pipeline_name) }), _jsx(Fact, { name: "Duration", children: pipeline.ci_build_duration }), _jsx(Fact, { name: "Built", children: build.built_at !== null && _jsx(RelativeTime, { time: build.built_at }) }), _jsx(Fact, { name: "Build ID", children: _jsx(Copyable, { value: build.id, label: "build ID", mono: true }) })] }) }));
}
const linked = (url, text) => url === null ? (text) : (_jsx("a", { href: url, target: "_blank", rel: "noreferrer noopener", children: text }));
