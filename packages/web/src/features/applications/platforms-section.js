import { jsx as _jsx } from "react/jsx-runtime";
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { applicationText } from '../../text/applications.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { platformsQuery } from '../builds/build.queries.ts';
import { applicationQuery } from './application.queries.ts';
import { PlatformPicker } from './platform-picker.tsx';
/** The platforms that an application supports. */
export function PlatformsSection({ applicationId }) {
    const query = useQuery(platformsQuery(applicationId));
    return (_jsx(SettingsSection, { title: "Platforms", description: applicationText.platforms, children: _jsx(Loaded, { query: query, children: (platforms) => _jsx(PlatformsForm, { applicationId: applicationId, platforms: platforms }) }) }));
}
function PlatformsForm({ applicationId, platforms }) {
    const canEdit = useSession().can('application:write', applicationId);
    const queryClient = useQueryClient();
    const form = useForm({
        initialValues: { platforms: platforms.map(({ identifier }) => identifier) },
        validate: { platforms: (selected) => (selected.length === 0 ? applicationText.noPlatform : null) },
    });
    return (_jsx(SettingsForm, { form: form, canEdit: canEdit, onSubmit: async (body) => {
            await api.replacePlatforms({ application_id: applicationId, body });
            showDone('Platforms saved.');
            await Promise.all([
                queryClient.invalidateQueries(platformsQuery(applicationId)),
                queryClient.invalidateQueries(applicationQuery(applicationId)),
            ]);
        }, children: _jsx(PlatformPicker, { canEdit: canEdit, value: form.values.platforms, onChange: (selected) => form.setFieldValue('platforms', selected), error: form.errors['platforms'] }) }));
}
