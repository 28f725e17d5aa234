import { jsx as _jsx } from "react/jsx-runtime";
import { IconMapOff } from '@tabler/icons-react';
import { ButtonLink } from '../ui/button-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
export function NotFoundPage() {
    return (_jsx(EmptyState, { icon: _jsx(IconMapOff, { size: 22 }), title: "Page not found", action: _jsx(ButtonLink, { to: "/", children: "Go to Home" }), children: "The page does not exist, has been deleted, or you do not have access to it." }));
}
