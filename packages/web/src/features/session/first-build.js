import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/client.ts';
import { refreshOnChange, watchLive } from '../../api/live.ts';
import { setupText } from '../../text/setup.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import classes from './first-upload.module.css';
/** Waits for the first build of the application and shows it as it is processed. */
export function FirstBuild({ applicationId }) {
    const queryClient = useQueryClient();
    useEffect(() => {
        const controller = new AbortController();
        const stop = refreshOnChange(queryClient);
        watchLive(controller.signal);
        return () => {
            stop();
            controller.abort();
        };
    }, [queryClient]);
    const { data: build } = useQuery({
        queryKey: ['applications', applicationId, 'builds', 'first'],
        queryFn: async ({ signal }) => {
            const { data } = await api.listBuilds({ application_id: applicationId, per_page: 1 }, { signal });
            return data[0] ?? null;
        },
    });
    if (!build)
        return (_jsxs("div", { className: classes.waiting, role: "status", children: [_jsx("span", { className: classes.pulse, "aria-hidden": true }), setupText.waiting] }));
    return (_jsxs("div", { className: classes.build, role: "status", children: [_jsx(ApplicationIcon, { name: build.version, url: build.icon_url, size: 40 }), _jsxs("div", { className: classes.text, children: [_jsx("strong", { children: build.version }), _jsxs("div", { children: [build.platform.name, " \u00B7 ", formatBytes(build.size_total_bytes)] })] }), _jsx(ButtonLink, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: build.id }, children: "Open the build" })] }));
}
