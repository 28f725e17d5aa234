import { jsx as _jsx } from "react/jsx-runtime";
import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { customTargetText } from '../../text/custom-targets.ts';
import { showFailure } from '../../ui/toast.tsx';
import { workspaceQuery } from '../workspace/workspace.queries.ts';
/** Turns custom targets on or off for the whole workspace. */
export function CustomTargetsSwitch({ workspace }) {
    const queryClient = useQueryClient();
    const { can } = useSession();
    async function save(isOn) {
        queryClient.setQueryData(workspaceQuery.queryKey, { ...workspace, custom_targets_enabled: isOn });
        await api.updateWorkspace({ body: { custom_targets_enabled: isOn } }).catch(showFailure);
        await queryClient.invalidateQueries(workspaceQuery);
    }
    return (_jsx(Switch, { mb: "md", label: customTargetText.toggle, checked: workspace.custom_targets_enabled, disabled: !can('workspace:write'), onChange: (event) => void save(event.currentTarget.checked) }));
}
