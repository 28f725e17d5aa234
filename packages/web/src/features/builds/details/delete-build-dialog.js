import { jsxs as _jsxs } from "react/jsx-runtime";
import { List } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { buildText } from '../../../text/build.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { showDone } from '../../../ui/toast.tsx';
import { versionText } from '../build.queries.ts';
/** Asks before a build is deleted that a release contains or a share link offers. */
export function DeleteBuildDialog({ build, onClose }) {
    const queryClient = useQueryClient();
    const applicationId = build.application_id;
    async function remove() {
        await api.deleteBuild({ application_id: applicationId, build_id: build.id, force: true });
        showDone('1 build moved to the trash.');
        await queryClient.invalidateQueries({ queryKey: ['applications', applicationId] });
    }
    const releases = build.kept_by.flatMap((keeper) => keeper.releases ?? []);
    const links = build.kept_by.flatMap((keeper) => keeper.share_links ?? []);
    return (_jsxs(ConfirmDialog, { title: buildText.delete.title(versionText(build)), confirmLabel: "Delete build", isDangerous: true, onConfirm: remove, onClose: onClose, children: [buildText.delete.held, _jsxs(List, { mt: "xs", fz: "sm", children: [releases.map(({ id, title, version }) => (_jsxs(List.Item, { children: ["Release", ' ', _jsxs(Link, { to: "/applications/$applicationId/releases/$releaseId", params: { applicationId, releaseId: id }, children: [title, " ", version] })] }, id))), links.length > 0 && (_jsxs(List.Item, { children: [links.length === 1 ? 'A share link' : `${links.length} share links`, " with", ' ', links.reduce((sum, link) => sum + link.download_count, 0), " downloads"] }))] })] }));
}
