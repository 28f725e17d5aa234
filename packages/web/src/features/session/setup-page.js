import { jsx as _jsx } from "react/jsx-runtime";
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { setupText } from '../../text/setup.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { FirstUpload } from './first-upload.tsx';
import { OutsidePage } from './outside-page.tsx';
import { SetupForm } from './setup-form.tsx';
import { signInMethodsQuery } from './sign-in.queries.ts';
const route = getRouteApi('/setup');
/** Creates the first owner and the first application with the link that the server prints, then offers the upload. */
export function SetupPage() {
    const { token } = route.useSearch();
    const { data: methods, error } = useQuery({ ...signInMethodsQuery, staleTime: Infinity });
    const [application, setApplication] = useState();
    if (application !== undefined)
        return _jsx(FirstUpload, { ...application });
    if (error !== null)
        return (_jsx(OutsidePage, { title: "Set up Quayside", children: _jsx(FailureBanner, { error: error }) }));
    if (methods === undefined)
        return (_jsx(OutsidePage, { title: "Set up Quayside", isWide: true, children: _jsx(Stack, { "aria-busy": true, children: Array.from({ length: 5 }, (_, index) => (_jsx(Skeleton, { height: 56 }, index))) }) }));
    if (!methods.setup_open)
        return (_jsx(OutsidePage, { title: "Quayside is already set up", description: setupText.closed, children: _jsx(ButtonLink, { to: "/sign-in", fullWidth: true, children: "Sign in" }) }));
    if (token === undefined)
        return (_jsx(OutsidePage, { title: "Open the set-up link", description: setupText.noToken, children: _jsx(CommandLine, { code: "npm start" }) }));
    return (_jsx(OutsidePage, { title: "Set up Quayside", description: setupText.intro, isWide: true, children: _jsx(SetupForm, { token: token, onDone: setApplication }) }));
}
